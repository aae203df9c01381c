import { ApiError } from '../contract/errors.ts'
import { REVALIDATE } from '../contract/headers.ts'
import { type Environment, VERSION_PREFIX } from '../contract/servers.ts'
import { type Endpoint, publicEndpoint } from '../http/endpoint.ts'
import { conditional, type Encoded, encoded, negotiated } from '../http/representation.ts'
import { draftOf, JSON_TYPE } from '../http/response.ts'

interface PagesConfig {
  readonly environment: Environment
  readonly baseUrls: Readonly<Record<Environment, string | undefined>>
  readonly hasConsole: boolean
}

/**
 * The OpenAPI document and, unless they are off, the console, the reference and the client. Each is built, and its code loaded, on
 * first use. None depends on the Host header, or anyone could have it built again and again.
 */
export function pageEndpoints({ environment, baseUrls, hasConsole }: PagesConfig): Endpoint[] {
  const baseUrl = baseUrls[environment]
  // Without a configured base URL, the server is the one that this document was fetched from.
  const description = lazily(() => openApiDocument({ ...baseUrls, [environment]: baseUrl ?? VERSION_PREFIX }))
  const consolePage = lazily(async () => (await import('./document.ts')).loadConsole(environment))
  const referencePage = lazily(async () =>
    (await import('./reference.ts')).loadReference(environment, baseUrl),
  )
  const client = lazily(async () => (await import('./client-package.ts')).clientPackage())
  const pages = new Map([
    ['console', consolePage],
    ['reference', referencePage],
  ])
  const openApi = publicEndpoint('/openapi.json', async ({ request }) =>
    negotiated(request, await description()),
  )
  if (!hasConsole) return [openApi]
  return [
    openApi,
    publicEndpoint('/', async ({ request }) => negotiated(request, (await consolePage()).document)),
    publicEndpoint('/docs', async ({ request }) => negotiated(request, (await referencePage()).document)),
    // People may type it with a slash. The Location is relative, because a proxy may serve the service below another path.
    publicEndpoint('/docs/', () => draftOf(308, { Location: '../docs' }, null)),
    publicEndpoint('/assets/:name', async ({ request }) => {
      const name = request.params?.name ?? ''
      // The page may have come from another instance, so it is built here if needed. An asset's name begins with its page.
      const page = await pages.get(name.replace(/-.*/s, ''))?.()
      const asset = page?.assets.find(asset => asset.name === name)
      if (asset === undefined) throw new ApiError('route_not_found')
      return negotiated(request, asset)
    }),
    publicEndpoint('/client.tgz', async ({ request }) => conditional(request.headers, await client())),
  ]
}

async function openApiDocument(servers: PagesConfig['baseUrls']): Promise<Encoded> {
  const { openApi } = await import('../contract/openapi.ts')
  return encoded(JSON.stringify(openApi(servers)), { 'Content-Type': JSON_TYPE, 'Cache-Control': REVALIDATE })
}

/** Makes it on first use, and keeps it unless that fails. */
function lazily<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    made ??= make().catch(error => {
      made = undefined
      throw error
    })
    return made
  }
}
