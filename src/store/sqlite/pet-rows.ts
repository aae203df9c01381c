import { NEW_PET_FIELDS, type NewPet, PET_FIELDS, type Pet } from '../../contract/pet.ts'
import type { Added, Addition } from '../store.ts'

/** Selects rows that already are animals, because this engine returns an int64 as a bigint. */
export const SELECTED_PET = PET_FIELDS.map(({ name, column }) => `pets.${column} AS "${name}"`).join(', ')

/** The animal as JSON, rendered by SQLite: half the cost of reading the columns and rendering them ourselves. */
export const PET_JSON = `json_object(${PET_FIELDS.map(({ name, column }) => `'${name}', pets.${column}`)})`

/** A new animal's values. On its way to the writer thread, an int64 is decimal text. */
type RowValues = string[]

const inserting = (value: (index: number) => string): string =>
  NEW_PET_FIELDS.map(({ kind }, index) =>
    kind === 'int64' ? `CAST(${value(index)} AS INTEGER)` : value(index),
  ).join()

const INSERT = `INSERT INTO pets (${NEW_PET_FIELDS.map(({ column }) => column)})`
export const INSERT_PET = `${INSERT} VALUES (${inserting(() => '?')})`
/** Inserts a whole JSON array of values with one statement. */
export const INSERT_PETS = `${INSERT} SELECT ${inserting(index => `value ->> ${index}`)} FROM json_each(?) ORDER BY key`

export const valuesOf = (pet: NewPet): RowValues => NEW_PET_FIELDS.map(({ name }) => String(pet[name]))

function petFrom(id: bigint, values: RowValues): Pet {
  const pet: Record<string, unknown> = { id }
  for (const [index, { name, kind }] of NEW_PET_FIELDS.entries())
    pet[name] = kind === 'int64' ? BigInt(values[index] as string) : values[index]
  return pet as Pet
}

/** An animal with an idempotency key, and its outcome, which has the values of an earlier animal with that key. */
export type KeyedRow = [keyId: string, key: string, values: RowValues]
export type KeyedOutcome = [id: string, earlier?: RowValues]

export interface BatchOutcome {
  /** Identifier of the first animal without an idempotency key; the others follow consecutively. */
  readonly firstId: string
  readonly keyed: readonly KeyedOutcome[]
}

/** Encodes a batch as text, because strings pass between threads at almost no cost, while objects are copied field by field. */
export function encodeBatch(batch: readonly Addition[]): [plain: string, keyed: string] {
  const plain: RowValues[] = []
  const keyed: KeyedRow[] = []
  for (const { pet, idempotency } of batch) {
    const values = valuesOf(pet)
    if (idempotency === undefined) plain.push(values)
    else keyed.push([idempotency.keyId, idempotency.key, values])
  }
  return [JSON.stringify(plain), JSON.stringify(keyed)]
}

/** Combines animals with their identifiers, in the order of the batch. */
export function addedPets(batch: readonly Addition[], { firstId, keyed }: BatchOutcome): Added[] {
  const outcomes = keyed.values()
  let id = BigInt(firstId)
  return batch.map(({ pet, idempotency }) => {
    if (idempotency === undefined) return { pet: { id: id++, ...pet }, replayed: false }
    const [keyedId, earlier] = outcomes.next().value as KeyedOutcome
    return earlier === undefined
      ? { pet: { id: BigInt(keyedId), ...pet }, replayed: false }
      : { pet: petFrom(BigInt(keyedId), earlier), replayed: true }
  })
}
