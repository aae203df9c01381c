import { type ListPetsQuery, OPERATIONS, VERSION_PREFIX } from '../../contract/operations.ts'

const DESCRIPTION = '/openapi.json'
const DEPRECATION_SECTION = '/docs#deprecation'

/** Where the service says its resources are: below the configured address, never below the Host header's. */
export class Links {
  readonly #base: string
  readonly #deprecation: string
  readonly #pets: string

  constructor(baseUrl: string | undefined, hasReference: boolean) {
    this.#base = baseUrl ?? VERSION_PREFIX
    const site = this.#base.slice(0, -VERSION_PREFIX.length)
    const [path, type] = hasReference ? [DEPRECATION_SECTION, 'text/html'] : [DESCRIPTION, 'application/json']
    this.#deprecation = `<${site}${path}>; rel="deprecation"; type="${type}"`
    this.#pets = this.#base + OPERATIONS.getPet.path.replace('{petId}', '')
  }

  pet(id: bigint): string {
    return `${this.#pets}${id}`
  }

  nextPage(cursor: string, { limit, status }: ListPetsQuery): string {
    const query = new URLSearchParams({ limit: String(limit), ...(status && { status }), cursor })
    return `<${this.#base}${OPERATIONS.listPets.path}?${query}>; rel="next"`
  }

  deprecation(): string {
    return this.#deprecation
  }
}
