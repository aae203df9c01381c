import { ApiError } from '../../contract/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { OPERATIONS, type Operation, type OperationId } from '../../contract/operations.ts'
import type { HeaderValues } from './kept-headers.ts'
import type { Links } from './links.ts'

export interface DeprecationOptions {
  /** Called for every call of a deprecated operation, with the key that made it. */
  readonly onDeprecatedCall: (operation: OperationId, keyId: string) => void
  /** Deprecated operations answer as they will once they are removed. */
  readonly rehearseSunset: boolean
}

/** Everything the service does about a deprecated operation. */
export class Deprecations {
  readonly #links: Links
  readonly #options: DeprecationOptions

  constructor(links: Links, options: DeprecationOptions) {
    this.#links = links
    this.#options = options
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

  /** Counts a call, and refuses it where the removal is rehearsed. */
  call(id: OperationId, keyId: string): void {
    const { deprecated }: Operation = OPERATIONS[id]
    if (deprecated === undefined) return
    this.#options.onDeprecatedCall(id, keyId)
    if (this.#options.rehearseSunset)
      throw new ApiError('operation_removed', MESSAGES.removed(deprecated.replacement))
  }
}
