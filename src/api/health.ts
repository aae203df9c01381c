import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Environment } from '../contract/servers.ts'
import { jsonDraft, type ResponseDraft } from '../http/response.ts'
import type { Store } from '../store/store.ts'
import type { Draining } from './draining.ts'

/** `GET /livez`: the process responds, and says which service it is, because another one may use the port. */
export const getLiveness = (environment: Environment) => (): ResponseDraft =>
  jsonDraft(200, `{"status":"ok","petstore":"${environment}"}`, { 'Cache-Control': 'no-store' })

/** `GET /readyz`: the next create could be stored. */
export const getReadiness =
  (environment: Environment, store: Pick<Store, 'ping'>, draining: Draining) => async () => {
    if (draining.isDraining) throw new ApiError('unavailable', MESSAGES.isShuttingDown)
    await store.ping()
    return getLiveness(environment)()
  }
