import { type Deprecation, deprecationDates } from '../contract/deprecation.ts'
import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { VERSION_PREFIX } from '../contract/servers.ts'
import type { Respond } from '../http/endpoint.ts'
import type { HeaderValues } from '../http/response.ts'

/** The headers of every response of a deprecated operation (RFC 9745, RFC 8594). */
export function deprecationHeaders(
  deprecated: Deprecation,
  base: string,
  hasReference: boolean,
): HeaderValues {
  const [path, type] = hasReference
    ? ['/docs#deprecation', 'text/html']
    : ['/openapi.json', 'application/json']
  return {
    ...deprecationDates(deprecated),
    Link: `<${base.slice(0, -VERSION_PREFIX.length)}${path}>; rel="deprecation"; type="${type}"`,
  }
}

/** Responds as a deprecated operation will once it is removed. */
export function removed({ replacement }: Deprecation): Respond {
  return () => {
    throw new ApiError('operation_removed', MESSAGES.removed(replacement))
  }
}
