import { type Encoded, encoded, JSON_TYPE } from '../api/response.ts'
import { REVALIDATE } from '../contract/headers.ts'
import { openApi } from '../contract/openapi.ts'
import { VERSION_PREFIX } from '../contract/operations.ts'
import type { Environment } from '../contract/servers.ts'
import type { PageName } from './bundle.ts'
import { clientPackage } from './client-package.ts'
import { documentOf, loadPage, type Page } from './document.ts'
import { loadReference } from './reference.ts'

type BaseUrls = Readonly<Record<Environment, string | undefined>>

/** What people see, and the description for programs. Nothing of it is made before someone opens it. */
export class Pages {
  readonly baseUrl: string | undefined
  readonly console: () => Promise<Encoded>
  /** The same for every reader: it must not depend on the Host header, or strangers could have it made again and again. */
  readonly reference: () => Promise<Encoded>
  readonly client = lazily(clientPackage)
  readonly #environment: Environment
  readonly #baseUrls: BaseUrls
  readonly #pages: Readonly<Record<PageName, () => Promise<Page>>>
  #description: Encoded | undefined

  constructor(environment: Environment, baseUrls: BaseUrls) {
    const baseUrl = baseUrls[environment]
    const pages = {
      console: lazily(() => loadConsole(environment)),
      reference: lazily(() => loadReference(environment, baseUrl)),
    }
    this.baseUrl = baseUrl
    this.console = lazily(async () => documentOf((await pages.console()).html))
    this.reference = lazily(async () => documentOf((await pages.reference()).html))
    this.#environment = environment
    this.#baseUrls = baseUrls
    this.#pages = pages
  }

  /** A page may have come from another instance, so an asset is built here if needed: its name says which page it belongs to. */
  async asset(name: string): Promise<Page['assets'][number] | undefined> {
    const [page] = name.split('-', 1)
    if (page !== 'console' && page !== 'reference') return undefined
    const { assets } = await this.#pages[page]()
    return assets.find(asset => asset.name === name)
  }

  description(): Encoded {
    // Without a configured address, it is the one that this document was fetched from.
    const servers = { ...this.#baseUrls, [this.#environment]: this.baseUrl ?? VERSION_PREFIX }
    this.#description ??= encoded(JSON.stringify(openApi(servers)), {
      'Content-Type': JSON_TYPE,
      'Cache-Control': REVALIDATE,
    })
    return this.#description
  }
}

/** Made when it is first asked for; a failure is not kept. */
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

const loadConsole = (environment: Environment): Promise<Page> =>
  loadPage('console', () => ({
    title: `Petstore · ${environment}`,
    body: `
<div id="app" data-environment="${environment}"></div>
<noscript><p>The console needs JavaScript. The API does not: its description is at <a href="openapi.json">/openapi.json</a>.</p></noscript>`,
  }))
