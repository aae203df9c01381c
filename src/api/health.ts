import { ApiError } from '../contract/errors.ts'
import type { Environment } from '../contract/servers.ts'
import { NEW_REQUESTS_MS } from '../deadlines.ts'
import type { RequestContext } from '../http/endpoint.ts'
import { jsonDraft, type ResponseDraft } from '../http/response.ts'
import type { Store } from '../store/store.ts'

const QUIET_TURN_MS = 25
const QUIET_TURNS = 20

/** After a signal to stop: responses say `Connection: close`, so that clients close. */
export class Draining {
  isDraining = false
  /** Responses to authenticated requests since draining began. Health checks continue, so they are not counted. */
  #responses = 0

  count({ keyId }: RequestContext): void {
    if (keyId !== undefined) this.#responses++
  }

  /** Resolves after half a second without an authenticated request, or after 3 seconds. Closing resets connections in use. */
  async begin(): Promise<void> {
    this.isDraining = true
    const endsAt = performance.now() + NEW_REQUESTS_MS
    let seen = this.#responses
    // Counted in turns of the event loop: a process that was stopped has yet to read what arrived in that time.
    for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < endsAt; quiet++) {
      await Bun.sleep(QUIET_TURN_MS)
      if (this.#responses !== seen) quiet = -1
      seen = this.#responses
    }
  }
}

/** `GET /livez`: the process responds, and says which service it is, because another one may use the port. */
export const getLiveness = (environment: Environment) => (): ResponseDraft =>
  jsonDraft(200, `{"status":"ok","petstore":"${environment}"}`, { 'Cache-Control': 'no-store' })

/** `GET /readyz`: the next create could be stored. */
export const getReadiness =
  (environment: Environment, store: Pick<Store, 'ping'>, draining: Draining) => async () => {
    if (draining.isDraining) throw new ApiError('unavailable', 'The service is shutting down.')
    await store.ping()
    return getLiveness(environment)()
  }
