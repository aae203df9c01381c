import { VERSION_PREFIX } from '../contract/servers.ts'
import type { Endpoint, Route, RoutedRequest } from '../http/endpoint.ts'

export const UNKNOWN_PATH = 'unknown'

/** Characters of a host name or address, and of a port (RFC 3986 3.2.2). A name has at most 253, and a port 5. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]{0,259}$/

/** To be checked before anything reads the request's URL, because the runtime parses the Host for it, which may take long. */
export const hasValidHost = ({ headers }: Request): boolean => HOST.test(headers.get('host') ?? '')

/** Letters, digits and `-._~`, escaped: the same path as without (RFC 3986 6.2.2.2). */
const ESCAPED_UNRESERVED = /%(?:2[DE]|3\d|[46][1-9A-F]|5[0-9AF]|7[0-9AE])/gi

/** Any path of a route is shorter, even with every character escaped, so the rest of a longer path is not read. */
const LONGEST_PATH = 512

/** Not decodeURIComponent, which takes ten times as long for each. */
const unescaped = (escaped: string): string => String.fromCharCode(Number.parseInt(escaped.slice(1), 16))

/** The beginning of a URL's path without needless escapes. With some Host headers the URL is only a path. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const [escaped = ''] = url.slice(start, start + LONGEST_PATH).split('?', 1)
  return escaped.replaceAll(ESCAPED_UNRESERVED, unescaped)
}

/** The endpoints by path, and what becomes of every other path. */
export class Routes {
  readonly all: readonly Route[]
  readonly #unknownPath: Route = { path: UNKNOWN_PATH, needsKey: false, endpoints: new Map() }
  readonly #unknownOperation: Route = { path: UNKNOWN_PATH, needsKey: true, endpoints: new Map() }

  constructor(endpoints: readonly Endpoint[]) {
    const byPath = Map.groupBy(endpoints, ({ path }) => path)
    this.all = [...byPath].map(([path, found]) => ({
      path,
      needsKey: found.some(({ needsKey }) => needsKey),
      endpoints: new Map(found.flatMap(endpoint => methodsOf(endpoint).map(method => [method, endpoint]))),
    }))
  }

  /** For a path that the runtime's router does not know, because it compares paths as they are spelled; sets the parameters. */
  find(request: RoutedRequest): Route {
    if (!hasValidHost(request)) return this.#unknownPath
    const path = pathOf(request.url)
    if (request.url.includes('%')) {
      const segments = path.split('/')
      for (const route of this.all) {
        const params = paramsOf(route.path, segments)
        if (params === undefined) continue
        Object.assign(request, { params })
        return route
      }
    }
    return isVersioned(path) ? this.#unknownOperation : this.#unknownPath
  }
}

/** HEAD is served wherever GET is. */
const methodsOf = ({ method }: Endpoint): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** Whether a path is the version prefix or lies below it: there, a request without a key learns nothing. */
const isVersioned = (path: string): boolean =>
  path.startsWith(VERSION_PREFIX) && ['', '/', '#'].includes(path.charAt(VERSION_PREFIX.length))

/** The parameters of a path that matches a pattern. */
function paramsOf(pattern: string, segments: readonly string[]): Record<string, string> | undefined {
  const parts = pattern.split('/')
  if (parts.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? ''
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
