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

interface ApiParts {
  readonly config: Config
  readonly store: Store
  readonly ring: KeyRing
  readonly bodies: BodyReader
  readonly draining: Draining
  readonly caches: Readonly<Record<'listPets' | 'getPet', ResponseCache>>
}

/** The three operations and the health checks, each with what it uses. */
export function apiEndpoints({ config, store, ring, bodies, draining, caches }: ApiParts): Endpoint[] {
  const { environment, baseUrls, hasConsole, rehearseSunset } = config
  // Links begin with the configured base URL or with the version prefix, never with the Host header.
  const base = baseUrls[environment] ?? VERSION_PREFIX
  const [page, type] = hasConsole ? ['/docs#deprecation', 'text/html'] : ['/openapi.json', 'application/json']
  const documentation = `<${base.slice(0, -VERSION_PREFIX.length)}${page}>; rel="deprecation"; type="${type}"`

  function operation(id: OperationId, respond: Respond): Endpoint {
    const { method, path, deprecated }: Operation = OPERATIONS[id]
    return {
      method,
      path: VERSION_PREFIX + path.replace(/{(\w+)}/, ':$1'),
      needsKey: true,
      operation: id,
      deprecation: deprecated && { ...deprecationDates(deprecated), Link: documentation },
      respond: rehearseSunset && deprecated ? removed(deprecated) : respond,
    }
  }

  return [
    operation('listPets', listPets(store, caches.listPets, base)),
    operation('createPet', createPet(store, ring, bodies, base)),
    operation('getPet', getPet(store, caches.getPet)),
    publicEndpoint('/livez', getLiveness(environment)),
    publicEndpoint('/readyz', getReadiness(environment, store, draining)),
  ]
}

/** Responds as a deprecated operation will once it is removed. */
function removed({ replacement }: Deprecation): Respond {
  return () => {
    throw new ApiError('operation_removed', MESSAGES.removed(replacement))
  }
}
