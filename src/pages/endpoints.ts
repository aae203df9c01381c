import { ApiError } from '../contract/errors.ts'
import type { Environment } from '../contract/servers.ts'
import { type Endpoint, publicEndpoint } from '../http/endpoint.ts'
import { conditional, negotiated } from '../http/representation.ts'
import { draftOf } from '../http/response.ts'
import { Pages } from './pages.ts'

interface PagesConfig {
  readonly environment: Environment
  readonly baseUrls: Readonly<Record<Environment, string | undefined>>
  readonly hasConsole: boolean
}

/** The OpenAPI document and, unless they are off, the console, the reference and the client. */
export function pageEndpoints({ environment, baseUrls, hasConsole }: PagesConfig): Endpoint[] {
  const pages = new Pages(environment, baseUrls)
  const description = publicEndpoint('/openapi.json', async ({ request }) =>
    negotiated(request, await pages.description()),
  )
  if (!hasConsole) return [description]
  return [
    description,
    publicEndpoint('/', async ({ request }) => negotiated(request, await pages.console())),
    publicEndpoint('/docs', async ({ request }) => negotiated(request, await pages.reference())),
    // People may type it with a slash. The Location is relative, because a proxy may serve the service below another path.
    publicEndpoint('/docs/', () => draftOf(308, { Location: '../docs' }, null)),
    publicEndpoint('/assets/:name', async ({ request }) => {
      const asset = await pages.asset(request.params?.name ?? '')
      if (asset === undefined) throw new ApiError('route_not_found')
      return negotiated(request, asset)
    }),
    publicEndpoint('/client.tgz', async ({ request }) => conditional(request.headers, await pages.client())),
  ]
}
