import type { ListPetsQuery, Pet } from './contract.generated.ts'
import { UnexpectedAnswerError } from './errors.ts'
import type { RequestOptions } from './options.ts'
import type { Transport } from './transport.ts'

export interface PetPage {
  readonly items: Pet[]
  readonly hasNext: boolean
  /** Where the page after this one starts; `list({ cursor })` goes on there, now or after a restart. */
  readonly nextCursor: string | undefined
  /** The page after this one; undefined after the last. */
  next(): Promise<PetPage | undefined>
}

/** Only the query is taken: an address in a header does not decide where the key is sent. */
const NEXT_QUERY = /<[^>?]*(\?[^>]*)>[^,<]*\brel="?next\b/

/** Reads pages one after the other, each when it is asked for. */
export function pageReader(send: Transport, options: RequestOptions | undefined) {
  const readPage = async (query: string): Promise<PetPage> => {
    const { body, headers } = await send('listPets', { query }, options)
    if (!Array.isArray(body))
      throw new UnexpectedAnswerError('unexpected_answer', 'The answer is no list of animals.', {
        status: 200,
      })
    const next = NEXT_QUERY.exec(headers.get('link') ?? '')?.[1]
    return {
      items: body,
      hasNext: next !== undefined,
      nextCursor: new URLSearchParams(next).get('cursor') ?? undefined,
      next: async () => (next === undefined ? undefined : readPage(next)),
    }
  }
  return ({ limit, status, cursor }: ListPetsQuery): Promise<PetPage> => {
    const given = new URLSearchParams({
      ...(limit !== undefined && { limit: String(limit) }),
      ...(status && { status }),
      ...(cursor && { cursor }),
    })
    return readPage(`${given}` && `?${given}`)
  }
}

/** A promise of the first page, kept once asked for; and all animals, read anew by each iteration. */
export class PetList implements Promise<PetPage>, AsyncIterable<Pet> {
  readonly [Symbol.toStringTag] = 'PetList'
  readonly #readFirst: () => Promise<PetPage>
  readonly #readFull: () => Promise<PetPage>
  #first: Promise<PetPage> | undefined

  /** An iteration wants all animals, so its pages are as large as the caller lets them be. */
  constructor(readFirst: () => Promise<PetPage>, readFull: () => Promise<PetPage>) {
    this.#readFirst = readFirst
    this.#readFull = readFull
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<Kept = PetPage, Broken = never>(
    kept?: ((page: PetPage) => Kept | PromiseLike<Kept>) | null,
    broken?: ((reason: unknown) => Broken | PromiseLike<Broken>) | null,
  ): Promise<Kept | Broken> {
    this.#first ??= this.#readFirst()
    return this.#first.then(kept, broken)
  }

  catch<Broken = never>(
    broken?: ((reason: unknown) => Broken | PromiseLike<Broken>) | null,
  ): Promise<PetPage | Broken> {
    return this.then(null, broken)
  }

  finally(settled?: (() => void) | null): Promise<PetPage> {
    return this.then().finally(settled)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Pet, void, undefined> {
    let page: PetPage | undefined = await this.#readFull()
    for (; page; page = await page.next()) yield* page.items
  }
}
