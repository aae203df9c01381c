import { REVALIDATE } from '../contract/headers.ts'
import { VERSION_PREFIX } from '../contract/operations.ts'
import type { Environment } from '../contract/servers.ts'
import { type Encoded, encoded, type Representation } from '../http/representation.ts'
import { JSON_TYPE } from '../http/response.ts'
import type { Page } from './document.ts'

type BaseUrls = Readonly<Record<Environment, string | undefined>>

/** The pages, the OpenAPI document and the client. Each is built, and its code loaded, on first use. */
export class Pages {
  readonly console: () => Promise<Encoded>
  /** The same for every reader. It must not depend on the Host header, or anyone could have it built again and again. */
  readonly reference: () => Promise<Encoded>
  readonly description: () => Promise<Encoded>
  readonly client: () => Promise<Representation>
  readonly #pages: Readonly<Record<string, () => Promise<Page>>>

  constructor(environment: Environment, baseUrls: BaseUrls) {
    const baseUrl = baseUrls[environment]
    const pages = {
      console: lazily(async () => (await import('./console.ts')).loadConsole(environment)),
      reference: lazily(async () => (await import('./reference.ts')).loadReference(environment, baseUrl)),
    }
    const documentOf = async (page: () => Promise<Page>): Promise<Encoded> =>
      (await import('./document.ts')).documentOf((await page()).html)
    this.#pages = pages
    this.console = lazily(() => documentOf(pages.console))
    this.reference = lazily(() => documentOf(pages.reference))
    this.client = lazily(async () => (await import('./client-package.ts')).clientPackage())
    this.description = lazily(async () => {
      const { openApi } = await import('../contract/openapi.ts')
      // Without a configured base URL, the server is the one that this document was fetched from.
      const servers = { ...baseUrls, [environment]: baseUrl ?? VERSION_PREFIX }
      const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': REVALIDATE }
      return encoded(JSON.stringify(openApi(servers)), headers)
    })
  }

  /** A page may have come from another instance, so an asset is built here if needed. Its name says which page it belongs to. */
  async asset(name: string): Promise<Page['assets'][number] | undefined> {
    const [page = ''] = name.split('-', 1)
    if (!Object.hasOwn(this.#pages, page)) return undefined
    const assets = (await this.#pages[page]?.())?.assets
    return assets?.find(asset => asset.name === name)
  }
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
