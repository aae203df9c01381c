import { LIMIT_MAX, type ListPetsQuery, type Pet } from '../contract.generated.ts'
import { Call, type WithResponse } from '../request/call.ts'
import { mustBeNumber } from '../settings.ts'
import type { PetPage } from './pet-page.ts'

/** A promise of the first page, which is read once. Each iteration reads the pages again. */
export class PetList<Int64 = bigint> extends Call<PetPage<Int64>> implements AsyncIterable<Pet<Int64>> {
  readonly #query: ListPetsQuery
  readonly #read: (query: ListPetsQuery) => Promise<WithResponse<PetPage<Int64>>>

  /** @internal */
  constructor(query: ListPetsQuery, read: (query: ListPetsQuery) => Promise<WithResponse<PetPage<Int64>>>) {
    super(() => read(query))
    this.#query = query
    this.#read = read
  }

  /** All animals, in the order of their identifiers. Each page is read when it is needed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Pet<Int64>, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** All pages, each read when it is needed. A page has 100 animals unless the query has a limit. */
  async *pages(): AsyncGenerator<PetPage<Int64>, void, undefined> {
    // An iteration reads all animals, so the pages are as large as possible.
    const query = { ...this.#query, limit: this.#query.limit ?? LIMIT_MAX }
    let page: PetPage<Int64> | undefined = (await this.#read(query)).data
    for (; page; page = await page.next()) yield page
  }

  /** The animals as an array: all of them, or the first `limit`. */
  async toArray({ limit = Infinity }: { limit?: number | undefined } = {}): Promise<Pet<Int64>[]> {
    mustBeNumber('limit', limit, 0)
    const animals: Pet<Int64>[] = []
    if (limit >= 1) for await (const pet of this) if (animals.push(pet) >= limit) break
    return animals
  }
}
