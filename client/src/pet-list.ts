import { Call, type WithResponse } from './call.ts'
import { LIMIT_MAX, type ListPetsQuery, OPERATIONS, type Pet } from './contract.generated.ts'
import { UnexpectedAnswerError } from './errors.ts'
import { must, mustBeNumber, type RequestOptions } from './options.ts'
import { type Int64Mode, type Int64Types, readPet } from './pet-json.ts'
import type { Request } from './request.ts'
import type { Transport } from './transport.ts'

/** A page of animals, with access to the next page. An iteration over it continues with the following pages. */
export interface PetPage<Int64 = bigint> extends AsyncIterable<Pet<Int64>> {
  readonly items: Pet<Int64>[]
  readonly hasNext: boolean
  /** Where the next page starts; null on the last page. `list({ cursor })` continues there, now or after a restart. */
  readonly nextCursor: string | null
  /** The next page; undefined after the last page. */
  next(): Promise<PetPage<Int64> | undefined>
}

type ReadPage<Int64> = (query: ListPetsQuery) => Promise<WithResponse<PetPage<Int64>>>

/** A promise of the first page, which is fetched once. Each iteration fetches the pages again. */
export class PetList<Int64 = bigint> extends Call<PetPage<Int64>> implements AsyncIterable<Pet<Int64>> {
  readonly #query: ListPetsQuery
  readonly #read: ReadPage<Int64>

  /** @internal */
  constructor(query: ListPetsQuery, read: ReadPage<Int64>) {
    super(() => read(query))
    this.#query = query
    this.#read = read
  }

  /** All animals, in the order of their identifiers. Each page is fetched when it is needed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Pet<Int64>, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** All pages, each fetched when it is needed. A page has 100 animals unless the query has a limit. */
  async *pages(): AsyncGenerator<PetPage<Int64>, void, undefined> {
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

/** Makes the requests for pages. A page fetches the next one on demand, with the same options. */
export function pageRequests<Mode extends Int64Mode>(
  send: Transport,
  mode: Mode,
  options: RequestOptions | undefined,
): (query: ListPetsQuery) => Request<PetPage<Int64Types[Mode]>> {
  return function requestFor(query) {
    const { limit, status, cursor } = query
    must('cursor', cursor === undefined || typeof cursor === 'string', 'be a nextCursor, or be omitted')
    return {
      operation: 'listPets',
      ...OPERATIONS.listPets,
      query: { limit, status, cursor },
      details: { cursor },
      read: (body, headers) => {
        if (!Array.isArray(body)) return undefined
        const items = body.map(item => readPet(item, mode))
        const nextCursor = nextCursorOf(headers.get('link'))
        if (nextCursor === '' || !items.every(item => !!item)) return undefined
        const next = async () => {
          if (nextCursor === null) return undefined
          if (nextCursor === cursor)
            throw new UnexpectedAnswerError('unexpected_answer', 'The next page is this one.', { cursor })
          return (await send(requestFor({ limit, status, cursor: nextCursor }), options)).data
        }
        return {
          items,
          hasNext: nextCursor !== null,
          nextCursor,
          next,
          async *[Symbol.asyncIterator]() {
            for (let page: typeof this | undefined = this; page; page = await page.next()) yield* page.items
          },
        }
      },
    }
  }
}

/** A link with the relation `next`, which may be one of several. */
const NEXT = /<([^<>]*)>[^<,]*;\s*rel=(?:"(?:[^"<,]* )?next[" ]|next[,; ])/i

/**
 * The cursor in the link to the next page (RFC 8288); empty if that link has none. The rest of the link is ignored, because a
 * header must not decide where the API key is sent.
 */
export function nextCursorOf(header: string | null): string | null {
  const target = NEXT.exec(`${header ?? ''},`)?.[1]
  if (target === undefined) return null
  return new URLSearchParams(target.replace(/^[^?]*|#.*/g, '')).get('cursor') ?? ''
}
