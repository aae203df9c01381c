import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { OPERATIONS, type Operation, type OperationId, VERSION_PREFIX } from '../contract/operations.ts'
import type { HeaderValues } from './response.ts'

const NONE: HeaderValues = {}

interface DeprecationOptions {
  /** Where the links of responses begin. */
  readonly base: string
  readonly hasReference: boolean
  /** Deprecated operations answer as they will once they are removed. */
  readonly rehearseSunset: boolean
}

/** What is special about deprecated operations. Who calls them is counted from the events of requests. */
export class DeprecationPolicy {
  readonly #rehearseSunset: boolean
  readonly #headers = new Map<OperationId, HeaderValues>()

  constructor(options: DeprecationOptions) {
    this.#rehearseSunset = options.rehearseSunset
    const site = options.base.slice(0, -VERSION_PREFIX.length)
    const [path, type] = options.hasReference
      ? ['/docs#deprecation', 'text/html']
      : ['/openapi.json', 'application/json']
    for (const [id, { deprecated }] of Object.entries<Operation>(OPERATIONS))
      if (deprecated !== undefined)
        this.#headers.set(id as OperationId, {
          Deprecation: `@${deprecated.since.getTime() / 1000}`,
          Sunset: deprecated.sunset.toUTCString(),
          Link: `<${site}${path}>; rel="deprecation"; type="${type}"`,
        })
  }

  /** What every response of the operation carries (RFC 9745, RFC 8594); nothing for one that stays. */
  headersOf(id: OperationId): HeaderValues {
    return this.#headers.get(id) ?? NONE
  }

  assertNotRemoved(id: OperationId): void {
    if (!this.#rehearseSunset) return
    const { deprecated }: Operation = OPERATIONS[id]
    if (deprecated !== undefined)
      throw new ApiError('operation_removed', MESSAGES.removed(deprecated.replacement))
  }
}
