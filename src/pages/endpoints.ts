import type { Endpoint } from '../api/context.ts'
import { conditional, draftOf, negotiated } from '../api/response.ts'
import { ApiError } from '../contract/errors.ts'

/** `GET /` */
export const getConsole: Endpoint = {
  answer: async ({ pages }, { request }) => negotiated(request, await pages.console()),
}

/** `GET /docs` */
export const getReference: Endpoint = {
  answer: async ({ pages }, { request }) => negotiated(request, await pages.reference()),
}

/** `GET /docs/`, as people type it. Relative, since a proxy may serve the service below another path. */
export const redirectToReference: Endpoint = {
  answer: () => draftOf(308, { Location: '../docs' }, null),
}

/** `GET /assets/:name` */
export const getAsset: Endpoint = {
  answer: async ({ pages }, { request }) => {
    const asset = await pages.asset(request.params?.name ?? '')
    if (asset === undefined) throw new ApiError('route_not_found')
    return negotiated(request, asset)
  },
}

/** `GET /client.tgz` */
export const getClient: Endpoint = {
  answer: async ({ pages }, { request }) => conditional(request.headers, await pages.client()),
}

/** `GET /openapi.json`: the description of the API. */
export const getDescription: Endpoint = {
  answer: async ({ pages }, { request }) => negotiated(request, await pages.description()),
}
