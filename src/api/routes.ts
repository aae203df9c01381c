import { VERSION_PREFIX } from '../contract/operations.ts'
import {
  getAsset,
  getConsole,
  getReference,
  getUnknownPage,
  redirectToReference,
} from '../pages/endpoints.ts'
import type { Endpoint, Route, RoutedRequest } from './context.ts'
import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { getDescription, getLiveness, getReadiness } from './health.ts'
import { listPets } from './list-pets.ts'
import { pathOf } from './url.ts'

type Endpoints = Readonly<Record<string, Endpoint>>

/** HEAD is served wherever GET is. */
const API: Readonly<Record<string, Endpoints>> = {
  '/v1/pets': { GET: listPets, POST: createPet },
  '/v1/pets/:petId': { GET: getPet },
  '/openapi.json': { GET: getDescription },
  '/livez': { GET: getLiveness },
  '/readyz': { GET: getReadiness },
}

const PAGES: Readonly<Record<string, Endpoints>> = {
  '/': { GET: getConsole },
  '/docs': { GET: getReference },
  '/docs/': { GET: redirectToReference },
  '/assets/:name': { GET: getAsset },
}

/** The routes of a server, and what it does with every other path. */
export class Routes {
  readonly all: readonly Route[]
  readonly #unknown: Route
  readonly #unknownOperation: Route

  constructor(hasConsole: boolean) {
    this.all = Object.entries({ ...API, ...(hasConsole && PAGES) }).map(([path, endpoints]) => ({
      path,
      needsKey: isVersioned(path),
      endpoints: withHead(endpoints),
      otherwise: 'method_not_allowed',
    }))
    const unknown = { path: 'unknown', otherwise: 'route_not_found' } as const
    this.#unknown = {
      ...unknown,
      needsKey: false,
      endpoints: withHead(hasConsole ? { GET: getUnknownPage } : {}),
    }
    this.#unknownOperation = { ...unknown, needsKey: true, endpoints: new Map() }
  }

  /** For a path that the runtime's router does not know, since it compares paths as they are spelled; sets the parameters. */
  find(request: RoutedRequest): Route {
    const path = pathOf(request.url)
    if (request.url.includes('%'))
      for (const route of this.all) {
        const params = paramsOf(route.path, path)
        if (params === undefined) continue
        Object.assign(request, { params })
        return route
      }
    return isVersioned(path) ? this.#unknownOperation : this.#unknown
  }
}

const withHead = (endpoints: Endpoints): ReadonlyMap<string, Endpoint> =>
  new Map(
    Object.entries(endpoints).flatMap(([method, endpoint]) =>
      (method === 'GET' ? ['GET', 'HEAD'] : [method]).map(name => [name, endpoint] as const),
    ),
  )

/** Whether a path is the version prefix or lies below it. */
const isVersioned = (path: string): boolean =>
  path.startsWith(VERSION_PREFIX) && ['', '/', '#'].includes(path.charAt(VERSION_PREFIX.length))

/** The parameters of a path that fits a pattern. */
function paramsOf(pattern: string, path: string): Record<string, string> | undefined {
  const parts = pattern.split('/')
  const segments = path.split('/')
  if (parts.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? ''
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
