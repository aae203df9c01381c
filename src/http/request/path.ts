import type { RoutedRequest } from '../exchange.ts'

/** Letters, digits and `-._~`, escaped: the same path as without (RFC 3986 6.2.2.2). */
const ESCAPED_UNRESERVED = /%(?:2[DE]|3\d|[46][1-9A-F]|5[0-9AF]|7[0-9AE])/gi

/** The longest path of a route, with every character escaped, is shorter; the rest is not decoded. */
const LONGEST_ESCAPED = 512

/** Not decodeURIComponent, which takes ten times as long for each. */
const unescaped = (escaped: string): string => String.fromCharCode(Number.parseInt(escaped.slice(1), 16))

/** The path of a URL without needless escapes. With an odd Host header the URL is a path alone. */
export function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : url.slice(url.indexOf('/', url.indexOf('://') + 3))
  const [escaped = ''] = path.split('?', 1)
  return (
    escaped.slice(0, LONGEST_ESCAPED).replaceAll(ESCAPED_UNRESERVED, unescaped) +
    escaped.slice(LONGEST_ESCAPED)
  )
}

/** The handler of the route that a path means; the runtime's router compares paths as they are spelled. */
export function routed<T>(
  routes: Readonly<Record<string, T>>,
  request: RoutedRequest,
): { handler: T; request: RoutedRequest } | undefined {
  if (!request.url.includes('%')) return undefined
  const segments = pathOf(request.url).split('/')
  for (const [route, handler] of Object.entries(routes)) {
    const parts = route.split('/')
    const fits =
      parts.length === segments.length &&
      parts.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]))
    if (!fits) continue
    const params = parts.flatMap((part, at) =>
      part.startsWith(':') ? [[part.slice(1), segments[at] ?? '']] : [],
    )
    return { handler, request: Object.assign(request, { params: Object.fromEntries(params) }) }
  }
  return undefined
}
