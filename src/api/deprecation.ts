import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { OPERATIONS, type Operation, type OperationId, VERSION_PREFIX } from '../contract/operations.ts'
import type { HeaderValues } from './response.ts'

/** What every response of a deprecated operation carries (RFC 9745, RFC 8594); undefined for one that stays. */
type DeprecationHeaders = Readonly<Partial<Record<OperationId, HeaderValues>>>

export function deprecationHeaders(base: string, hasReference: boolean): DeprecationHeaders {
  const [path, type] = hasReference
    ? ['/docs#deprecation', 'text/html']
    : ['/openapi.json', 'application/json']
  const link = `<${base.slice(0, -VERSION_PREFIX.length)}${path}>; rel="deprecation"; type="${type}"`
  const headersOf = ({ deprecated }: Operation): HeaderValues | undefined =>
    deprecated && {
      Deprecation: `@${deprecated.since.getTime() / 1000}`,
      Sunset: deprecated.sunset.toUTCString(),
      Link: link,
    }
  return Object.fromEntries(Object.entries(OPERATIONS).map(([id, operation]) => [id, headersOf(operation)]))
}

/** For a service that rehearses the removal of its deprecated operations. */
export function assertNotRemoved(id: OperationId): void {
  const { deprecated }: Operation = OPERATIONS[id]
  if (deprecated) throw new ApiError('operation_removed', MESSAGES.removed(deprecated.replacement))
}
