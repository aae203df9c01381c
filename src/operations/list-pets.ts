import { invalid } from '../contract/errors.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ListPetsQuery } from '../contract/operations.ts'
import type { Pet } from '../contract/pet.ts'
import type { Revision, Store } from '../store/store.ts'
import { openCursor, sealCursor } from './cursor.ts'

export interface ListedPets {
  readonly pets: readonly Pet[]
  /** The cursor of the next page, when animals follow. */
  readonly next: string | undefined
  readonly revision: Revision
}

export async function listPets(store: Store, { limit, status, cursor }: ListPetsQuery): Promise<ListedPets> {
  const after = cursor === undefined ? 0n : startOf(cursor, status, store.cursorSecret)
  const { pets, more, revision } = await store.listPets({ after, limit, status })
  const last = pets.at(-1)
  const next = more && last ? sealCursor({ after: last.id, status }, store.cursorSecret) : undefined
  return { pets, next, revision }
}

/** What is wrong with a cursor, independent of the list it was sent for. */
export const problemsOfCursor = (cursor: string | undefined, { cursorSecret }: Store): string[] =>
  cursor && openCursor(cursor, cursorSecret) === undefined ? [MESSAGES.cursorIsNotOurs] : []

function startOf(text: string, status: ListPetsQuery['status'], secret: string): bigint {
  const cursor = openCursor(text, secret)
  if (cursor === undefined) throw invalid('invalid_query', 'query', [MESSAGES.cursorIsNotOurs])
  if (cursor.status !== status)
    throw invalid('invalid_query', 'query', [MESSAGES.cursorIsOfAnotherList(cursor.status)])
  return cursor.after
}
