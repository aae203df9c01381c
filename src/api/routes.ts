import { VERSION_PREFIX } from '../contract/operations.ts'
import {
  getAsset,
  getClient,
  getConsole,
  getDescription,
  getReference,
  redirectToReference,
} from '../pages/endpoints.ts'
import type { Endpoint, Route, RoutedRequest } from './context.ts'
import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { getLiveness, getReadiness } from './health.ts'
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
  '/client.tgz': { GET: getClient },
}

export const UNKNOWN_PATH = 'unknown'

/** The routes of a server, and what it does with every other path. */
export class Routes {
  readonly all: readonly Route[]
  readonly #unknownPage = routeOf(UNKNOWN_PATH, {}, false)
  readonly #unknownOperation = routeOf(UNKNOWN_PATH, {}, true)

  constructor(hasConsole: boolean) {
    const tables = { ...API, ...(hasConsole && PAGES) }
    this.all = Object.entries(tables).map(([path, endpoints]) => routeOf(path, endpoints))
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
    return isVersioned(path) ? this.#unknownOperation : this.#unknownPage
  }
}

function routeOf(path: string, endpoints: Endpoints, needsKey = isVersioned(path)): Route {
  const byMethod = Object.entries(endpoints).flatMap(([method, endpoint]): [string, Endpoint][] =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).map(name => [name, endpoint]),
  )
  return { path, needsKey, endpoints: new Map(byMethod) }
}

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
