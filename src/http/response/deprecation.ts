import { ApiError } from '../../contract/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { OPERATIONS, type Operation, type OperationId } from '../../contract/operations.ts'
import type { HeaderValues } from './kept-headers.ts'
import type { Links } from './links.ts'

/** Everything the service does about a deprecated operation. */
export class Deprecations {
  readonly #links: Links
  /** Deprecated operations answer as they will once they are removed. */
  readonly #rehearseSunset: boolean

  constructor(links: Links, rehearseSunset: boolean) {
    this.#links = links
    this.#rehearseSunset = rehearseSunset
  }

  /** What every answer of the operation carries (RFC 9745, RFC 8594); nothing for one that stays. */
  headersOf(id: OperationId): HeaderValues {
    const { deprecated }: Operation = OPERATIONS[id]
    if (deprecated === undefined) return {}
    return {
      Deprecation: `@${deprecated.since.getTime() / 1000}`,
      Sunset: deprecated.sunset.toUTCString(),
      Link: this.#links.deprecation(),
    }
  }

  /** Refuses a call where the removal is rehearsed. */
  call(id: OperationId): void {
    const { deprecated }: Operation = OPERATIONS[id]
    if (deprecated !== undefined && this.#rehearseSunset)
      throw new ApiError('operation_removed', MESSAGES.removed(deprecated.replacement))
  }
}
