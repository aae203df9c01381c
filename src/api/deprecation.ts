import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { OPERATIONS, type Operation, type OperationId, VERSION_PREFIX } from '../contract/operations.ts'
import type { HeaderValues } from './response.ts'

const NONE: HeaderValues = {}

export interface DeprecationOptions {
  /** Where the links of responses begin. */
  readonly base: string
  readonly hasReference: boolean
  /** Called for every call of a deprecated operation, with the key that made it. */
  readonly onDeprecatedCall: (operation: OperationId, keyId: string) => void
  /** Deprecated operations answer as they will once they are removed. */
  readonly rehearseSunset: boolean
}

/** What requests and responses of a deprecated operation have in addition. */
export class DeprecationPolicy {
  readonly #options: DeprecationOptions
  readonly #headers = new Map<OperationId, HeaderValues>()

  constructor(options: DeprecationOptions) {
    this.#options = options
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

  /** Counts a call, and refuses it where the removal is rehearsed. */
  call(id: OperationId, keyId: string): void {
    const { deprecated }: Operation = OPERATIONS[id]
    if (deprecated === undefined) return
    this.#options.onDeprecatedCall(id, keyId)
    if (this.#options.rehearseSunset)
      throw new ApiError('operation_removed', MESSAGES.removed(deprecated.replacement))
  }
}
