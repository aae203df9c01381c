import type { Config } from '../config/load.ts'
import { type Deprecation, deprecationDates } from '../contract/deprecation.ts'
import { ApiError, MESSAGES } from '../contract/errors.ts'
import { OPERATIONS, type Operation, type OperationId } from '../contract/operations.ts'
import { VERSION_PREFIX } from '../contract/servers.ts'
import { type Endpoint, parseRoute, publicEndpoint, type Respond } from '../http/endpoint.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Store } from '../store/store.ts'
import type { BodyReader } from './body.ts'
import type { ResponseCache } from './cache.ts'
import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { type Draining, getLiveness, getReadiness } from './health.ts'
import { listPets } from './list-pets.ts'

interface Parts {
  readonly config: Config
  readonly store: Store
  readonly ring: KeyRing
  readonly bodies: BodyReader
  readonly draining: Draining
  readonly caches: Readonly<Record<'listPets' | 'getPet', ResponseCache>>
  readonly pages: PageResponders
}

/** What serves the pages, which `pages/` makes. */
export type PageResponders = Readonly<
  Record<'openApi' | 'console' | 'reference' | 'toReference' | 'asset' | 'client', Respond>
>

/** A method and a path of the contract; `:name` stands for a parameter. */
type RouteOf<Id extends OperationId> =
  `${(typeof OPERATIONS)[Id]['method']} ${typeof VERSION_PREFIX}${WithColon<(typeof OPERATIONS)[Id]['path']>}`
type WithColon<Path> = Path extends `${infer Start}{${infer Name}}${infer End}`
  ? `${Start}:${Name}${End}`
  : Path

/** Everything that the service serves. */
export function endpoints({ config, store, ring, bodies, draining, caches, pages }: Parts): Endpoint[] {
  const { environment, baseUrls, hasConsole, rehearseSunset } = config
  // Links begin with the configured base URL or with the version prefix, never with the Host header.
  const base = baseUrls[environment] ?? VERSION_PREFIX
  const [page, type] = hasConsole ? ['/docs#deprecation', 'text/html'] : ['/openapi.json', 'application/json']
  const documentation = `<${base.slice(0, -VERSION_PREFIX.length)}${page}>; rel="deprecation"; type="${type}"`

  function operation<Id extends OperationId>(route: RouteOf<Id>, id: Id, respond: Respond): Endpoint {
    const { deprecated }: Operation = OPERATIONS[id]
    return {
      ...parseRoute(route),
      needsKey: true,
      operation: id,
      deprecation: deprecated && { ...deprecationDates(deprecated), Link: documentation },
      respond: rehearseSunset && deprecated ? removed(deprecated) : respond,
    }
  }

  const api = [
    operation('GET /v1/pets', 'listPets', listPets(store, caches.listPets, base)),
    operation('POST /v1/pets', 'createPet', createPet(store, ring, bodies, base)),
    operation('GET /v1/pets/:petId', 'getPet', getPet(store, caches.getPet)),
    publicEndpoint('GET /livez', getLiveness(environment)),
    publicEndpoint('GET /readyz', getReadiness(environment, store, draining)),
    publicEndpoint('GET /openapi.json', pages.openApi),
  ]
  const forPeople = [
    publicEndpoint('GET /', pages.console),
    publicEndpoint('GET /docs', pages.reference),
    publicEndpoint('GET /docs/', pages.toReference),
    publicEndpoint('GET /assets/:name', pages.asset),
    publicEndpoint('GET /client.tgz', pages.client),
  ]
  return hasConsole ? [...api, ...forPeople] : api
}

/** Responds as a deprecated operation will once it is removed. */
function removed({ replacement }: Deprecation): Respond {
  return () => {
    throw new ApiError('operation_removed', MESSAGES.removed(replacement))
  }
}
