import { FACTS_ID, type Facts } from '../console/facts.ts'
import { dayOf, OPERATIONS } from '../contract/operations.ts'
import { PET_STATUSES } from '../contract/pet.ts'
import type { Environment } from '../contract/servers.ts'
import type { PageName } from './bundle.ts'
import { loadPage, type Page } from './document.ts'
import { loadReference } from './reference.ts'

/** What people see. Nothing of it is made before someone opens it. */
export class Pages {
  readonly baseUrl: string | undefined
  readonly #load: Readonly<Record<PageName, () => Promise<Page>>>
  readonly #loaded = new Map<PageName, Promise<Page>>()

  constructor(environment: Environment, baseUrl: string | undefined) {
    this.baseUrl = baseUrl
    this.#load = {
      console: () => loadConsole(environment),
      reference: () => loadReference(environment, baseUrl),
    }
  }

  /** Made when it is first asked for; a failure is not kept. */
  get(name: PageName): Promise<Page> {
    const known = this.#loaded.get(name)
    if (known !== undefined) return known
    const page = this.#load[name]()
    this.#loaded.set(name, page)
    page.catch(() => this.#loaded.delete(name))
    return page
  }

  /** A page may have come from another instance, so an asset is built here if needed: its name says which page it belongs to. */
  async asset(name: string): Promise<Page['assets'][number] | undefined> {
    const [page = ''] = name.split('-', 1)
    if (!Object.hasOwn(this.#load, page)) return undefined
    const { assets } = await this.get(page as PageName)
    return assets.find(asset => asset.name === name)
  }
}

const loadConsole = (environment: Environment): Promise<Page> =>
  loadPage('console', () => ({
    title: `Petstore · ${environment}`,
    head: `
<script type="application/json" id="${FACTS_ID}">${JSON.stringify(factsOf(environment))}</script>`,
    body: `
<div id="app"></div>
<noscript><p>The console needs JavaScript. The API does not: its description is at <a href="openapi.json">/openapi.json</a>.</p></noscript>`,
  }))

const factsOf = (environment: Environment): Facts => ({
  environment,
  statuses: PET_STATUSES,
  lookupEnds: dayOf(OPERATIONS.getPet.deprecated.sunset),
})
