import type { Operation } from '../../contract/operations.ts'
import type { Links } from './links.ts'

/** What every answer of a deprecated operation carries (RFC 9745, RFC 8594); nothing for the others. */
export function deprecationHeaders({ deprecated }: Operation, links: Links): Record<string, string> {
  if (deprecated === undefined) return {}
  return {
    Deprecation: `@${deprecated.since.getTime() / 1000}`,
    Sunset: deprecated.sunset.toUTCString(),
    Link: links.deprecation(),
  }
}
