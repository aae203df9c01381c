import { ApiError } from '../contract/errors.ts'
import { REVALIDATE } from '../contract/headers.ts'
import { DEFAULT_SERVERS, type Environment, type Servers, VERSION_PREFIX } from '../contract/servers.ts'
import { type Endpoint, publicEndpoint } from '../http/endpoint.ts'
import { originOf } from '../http/origin.ts'
import { conditional, type Encoded, encoded, fileOf, negotiated } from '../http/representation.ts'
import { draftOf, JSON_TYPE } from '../http/response.ts'
import { clientPackage } from './built.ts'

interface PagesConfig {
  readonly environment: Environment
  readonly host: string
  readonly port: number
  readonly tls: unknown
  readonly baseUrls: Servers
  readonly hasConsole: boolean
}

const CLIENT_HEADERS = { 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache' }

/** The servers that the OpenAPI document lists: the configured ones, or the local pair if this service is one of them. */
export function knownServers(config: Omit<PagesConfig, 'hasConsole'>): Servers {
  const { environment, baseUrls } = config
  const isConfigured = Object.values(baseUrls).some(url => url !== undefined)
  if (!isConfigured && ownUrl(config) === DEFAULT_SERVERS[environment]) return DEFAULT_SERVERS
  // Without a configured base URL, the server is the one that the document was fetched from.
  return { ...baseUrls, [environment]: baseUrls[environment] ?? VERSION_PREFIX }
}

const ownUrl = ({ host, port, tls }: Pick<PagesConfig, 'host' | 'port' | 'tls'>): string =>
  originOf(tls === undefined ? 'http' : 'https', host, port) + VERSION_PREFIX

/** Each is made on first use, without a compiler. None depends on the Host, or anyone could have it made again and again. */
export function pageEndpoints(config: PagesConfig): Endpoint[] {
  const { environment, baseUrls, hasConsole } = config
  const description = lazily(() => openApiDocument(config))
  const consolePage = lazily(async () => (await import('./document.ts')).loadConsole(environment))
  const referencePage = lazily(async () =>
    (await import('./reference.ts')).loadReference(environment, baseUrls[environment], ownUrl(config)),
  )
  const client = lazily(async () => fileOf(await clientPackage(), CLIENT_HEADERS))
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
      // The page may have come from another instance, so it is made here if needed. An asset's name begins with its page.
      const page = await pages.get(name.replace(/-.*/s, ''))?.()
      const asset = page?.assets.find(asset => asset.name === name)
      if (asset === undefined) throw new ApiError('route_not_found')
      return negotiated(request, asset)
    }),
    publicEndpoint('/client.tgz', async ({ request }) => conditional(request.headers, await client())),
  ]
}

async function openApiDocument(config: PagesConfig): Promise<Encoded> {
  const { openApi } = await import('../contract/openapi.ts')
  const text = JSON.stringify(openApi(knownServers(config)))
  return encoded(text, { 'Content-Type': JSON_TYPE, 'Cache-Control': REVALIDATE })
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
