import type { Config } from '../config/load.ts'
import { type Deprecation, deprecationDates } from '../contract/deprecation.ts'
import { ApiError, MESSAGES } from '../contract/errors.ts'
import { OPERATIONS, type Operation, type OperationId } from '../contract/operations.ts'
import { VERSION_PREFIX } from '../contract/servers.ts'
import { type Endpoint, publicEndpoint, type Respond } from '../http/endpoint.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Store } from '../store/store.ts'
import type { BodyReader } from './body.ts'
import type { ResponseCache } from './cache.ts'
import { createPet } from './create-pet.ts'
import { getPet } from './get-pet.ts'
import { type Draining, getLiveness, getReadiness } from './health.ts'
import { listPets } from './list-pets.ts'

interface Options {
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

/** Everything that the service serves. */
export function endpoints({ config, store, ring, bodies, draining, caches, pages }: Options): Endpoint[] {
  const { environment, baseUrls, hasConsole, rehearseSunset } = config
  // Links begin with the configured base URL or with the version prefix, never with the Host header.
  const base = baseUrls[environment] ?? VERSION_PREFIX
  const [at, type] = hasConsole ? ['/docs#deprecation', 'text/html'] : ['/openapi.json', 'application/json']
  const documentation = `<${base.slice(0, -VERSION_PREFIX.length)}${at}>; rel="deprecation"; type="${type}"`

  function operation(id: OperationId, path: string, respond: Respond): Endpoint {
    const { method, deprecated }: Operation = OPERATIONS[id]
    return {
      method,
      path,
      needsKey: true,
      operation: id,
      deprecation: deprecated && { ...deprecationDates(deprecated), Link: documentation },
      respond: rehearseSunset && deprecated ? removed(deprecated) : respond,
    }
  }

  const api = [
    operation('listPets', '/v1/pets', listPets(store, caches.listPets, base)),
    operation('createPet', '/v1/pets', createPet(store, ring, bodies, base)),
    operation('getPet', '/v1/pets/:petId', getPet(store, caches.getPet)),
    publicEndpoint('/livez', getLiveness(environment)),
    publicEndpoint('/readyz', getReadiness(environment, store, draining)),
    publicEndpoint('/openapi.json', pages.openApi),
  ]
  const forPeople = [
    publicEndpoint('/', pages.console),
    publicEndpoint('/docs', pages.reference),
    publicEndpoint('/docs/', pages.toReference),
    publicEndpoint('/assets/:name', pages.asset),
    publicEndpoint('/client.tgz', pages.client),
  ]
  return hasConsole ? [...api, ...forPeople] : api
}

/** Responds as a deprecated operation will once it is removed. */
function removed({ replacement }: Deprecation): Respond {
  return () => {
    throw new ApiError('operation_removed', MESSAGES.removed(replacement))
  }
}
