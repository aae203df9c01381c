import { ApiError } from '../contract/errors.ts'
import { REVALIDATE } from '../contract/headers.ts'
import { MESSAGES } from '../contract/messages.ts'
import { descriptionText, openApi } from '../contract/openapi.ts'
import { VERSION_PREFIX } from '../contract/operations.ts'
import type { Environment } from '../contract/servers.ts'
import { type Endpoint, whenReady } from './context.ts'
import { type Encoded, encoded, JSON_TYPE, jsonDraft, negotiated, type ResponseDraft } from './response.ts'

/** `GET /livez`: the process answers. */
export const getLiveness: Endpoint = { answer: () => healthy() }

/** `GET /readyz`: the process can serve. */
export const getReadiness: Endpoint = {
  answer: ({ store, draining }) => {
    if (draining.hasBegun) throw new ApiError('unavailable', MESSAGES.isShuttingDown)
    return whenReady(store.ping(), () => healthy())
  },
}

const healthy = (): ResponseDraft => jsonDraft(200, '{"status":"ok"}', { 'Cache-Control': 'no-store' })

/** `GET /openapi.json`: the description of the API. */
export const getDescription: Endpoint = {
  answer: (api, { request }) => negotiated(request, api.description()),
}

/** Made at the first request, and kept. */
export function description(
  environment: Environment,
  baseUrls: Readonly<Record<Environment, string | undefined>>,
): () => Encoded {
  let made: Encoded | undefined
  return () => {
    // Without a configured address, it is the one that this document was fetched from.
    const configured = Object.entries(baseUrls).filter(([, url]) => url)
    const servers = { [environment]: VERSION_PREFIX, ...Object.fromEntries(configured) }
    made ??= encoded(descriptionText(openApi(servers)), {
      'Content-Type': JSON_TYPE,
      'Cache-Control': REVALIDATE,
    })
    return made
  }
}
