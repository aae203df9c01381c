import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Respond } from '../http/endpoint.ts'
import { jsonDraft, type ResponseDraft } from '../http/response.ts'
import type { Store } from '../store/store.ts'
import type { Draining } from './draining.ts'

/** `GET /livez`: the process responds. */
export const getLiveness = (): Respond => () => healthy()

/** `GET /readyz`: the service can serve. */
export const getReadiness =
  ({ store, draining }: { readonly store: Pick<Store, 'ping'>; readonly draining: Draining }) =>
  async () => {
    if (draining.isDraining) throw new ApiError('unavailable', MESSAGES.isShuttingDown)
    await store.ping()
    return healthy()
  }

const healthy = (): ResponseDraft => jsonDraft(200, '{"status":"ok"}', { 'Cache-Control': 'no-store' })
