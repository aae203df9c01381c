import { VERSION_PREFIX } from '../contract/servers.ts'
import type { Endpoint, Route, RoutedRequest } from '../http/endpoint.ts'
import { hasValidHost, pathOf } from './url.ts'

export const UNKNOWN_PATH = 'unknown'

/** The endpoints by path, and what becomes of every other path. */
export class Routes {
  readonly all: readonly Route[]
  readonly #unknownPage: Route = { path: UNKNOWN_PATH, needsKey: false, endpoints: new Map() }
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
    if (!hasValidHost(request)) return this.#unknownPage
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
    return isVersioned(path) ? this.#unknownOperation : this.#unknownPage
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
