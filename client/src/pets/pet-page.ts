import type { ListPetsQuery, Pet } from '../contract.generated.ts'
import { entriesOf } from '../defined.ts'
import { UnexpectedAnswerError } from '../errors.ts'
import type { Int64Mode, Int64Types } from '../int64.ts'
import type { ConditionalOptions } from '../options.ts'
import type { WithResponse } from '../request/call.ts'
import type { Transport } from '../request/transport.ts'
import { nextCursorOf } from './link.ts'
import { readPet } from './pet-json.ts'

/** A page of animals, with access to the next one. */
export interface PetPage<Int64 = bigint> {
  readonly items: Pet<Int64>[]
  readonly hasNext: boolean
  /** Where the next page starts. `list({ cursor })` continues there, now or after a restart. */
  readonly nextCursor: string | undefined
  /** The next page; undefined after the last. */
  next(): Promise<PetPage<Int64> | undefined>
}

const MOST_EMPTY_PAGES = 100

/** What is known of the previous pages, to detect an endless list. */
interface Trail {
  readonly pages: number
  /** A previous cursor. It advances after 1, 2, 4, 8… pages, so that every cycle returns to it (Brent's algorithm). */
  readonly mark: string | undefined
  readonly emptyPages: number
}

/** Reads pages one after another, on demand. */
export function pageReader<Mode extends Int64Mode>(
  send: Transport,
  mode: Mode,
  options: Partial<ConditionalOptions> | undefined,
) {
  type Page = PetPage<Int64Types[Mode]>

  const read = ({ limit, status, cursor }: ListPetsQuery, trail: Trail): Promise<WithResponse<Page>> =>
    send(
      {
        operation: 'listPets',
        query: new URLSearchParams(entriesOf({ limit, status, cursor }) as [string, string][]),
        details: { cursor },
        read: (body, headers) => {
          if (!Array.isArray(body)) return undefined
          const items = body.map(item => readPet(item, mode))
          const nextCursor = nextCursorOf(headers.get('link'))
          if (nextCursor === '' || !items.every(item => item !== undefined)) return undefined
          const next = async () =>
            nextCursor === undefined
              ? undefined
              : (await read({ limit, status, cursor: nextCursor }, goneOn(trail, nextCursor, items.length)))
                  .data
          return { items, hasNext: nextCursor !== undefined, nextCursor, next }
        },
      },
      // The ETag applies only to the first page.
      trail.pages ? { ...options, ifNoneMatch: undefined } : options,
    )
  return (query: ListPetsQuery) => read(query, { pages: 0, mark: undefined, emptyPages: 0 })
}

/** Throws on a cycle of pages, or on too many empty pages in a row. */
function goneOn({ pages, mark, emptyPages }: Trail, cursor: string, items: number): Trail {
  const empty = items ? 0 : emptyPages + 1
  if (cursor === mark || empty > MOST_EMPTY_PAGES)
    throw new UnexpectedAnswerError('unexpected_answer', 'The list has no end.', { cursor })
  // Zero if the count is a power of two.
  const isBetween = pages & (pages - 1)
  return { pages: pages + 1, mark: isBetween ? mark : cursor, emptyPages: empty }
}
