import { ApiError } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import { type Endpoint, whenReady } from './context.ts'
import { jsonDraft, type ResponseDraft } from './response.ts'

/** `GET /livez`: the process answers. */
export const getLiveness: Endpoint = { answer: () => healthy() }

/** `GET /readyz`: the process can serve. */
export const getReadiness: Endpoint = {
  answer: ({ store, isDraining }) => {
    if (isDraining) throw new ApiError('unavailable', MESSAGES.isShuttingDown)
    return whenReady(store.ping(), healthy)
  },
}

const healthy = (): ResponseDraft => jsonDraft(200, '{"status":"ok"}', { 'Cache-Control': 'no-store' })
