import { NEW_PET_FIELDS, type NewPet, PET_FIELDS, type Pet } from '../../contract/pet.ts'
import type { Added, Addition } from '../store.ts'

/** Rows that are animals already: this engine returns an int64 as a bigint. */
export const SELECTED_PET = PET_FIELDS.map(({ name, column }) => `pets.${column} AS "${name}"`).join(', ')

/** An animal as the client gets it: rendered here, it costs half of what its values and our own rendering would. */
export const PET_JSON = `json_object(${PET_FIELDS.map(({ name, column }) => `'${name}', pets.${column}`)})`

/** What a client sends. An int64 is decimal text on its way to the writer. */
type Values = string[]

const inserting = (value: (index: number) => string): string =>
  NEW_PET_FIELDS.map(({ kind }, index) =>
    kind === 'int64' ? `CAST(${value(index)} AS INTEGER)` : value(index),
  ).join()

const INSERT = `INSERT INTO pets (${NEW_PET_FIELDS.map(({ column }) => column)})`
export const INSERT_PET = `${INSERT} VALUES (${inserting(() => '?')})`
/** One statement for a whole JSON array of values. */
export const INSERT_PETS = `${INSERT} SELECT ${inserting(index => `value ->> ${index}`)} FROM json_each(?) ORDER BY key`

export const valuesOf = (pet: NewPet): Values => NEW_PET_FIELDS.map(({ name }) => String(pet[name]))

function petFrom(id: bigint, values: Values): Pet {
  const pet: Record<string, unknown> = { id }
  for (const [index, { name, kind }] of NEW_PET_FIELDS.entries())
    pet[name] = kind === 'int64' ? BigInt(values[index] as string) : values[index]
  return pet as Pet
}

/** Values of an animal with an idempotency key, and its outcome: an earlier animal has its own values. */
export type KeyedRow = [keyId: string, key: string, values: Values]
export type KeyedOutcome = [id: string, earlier?: Values]

export interface BatchOutcome {
  /** The first identifier of the animals without a key; the others follow it. */
  readonly firstId: string
  readonly keyed: readonly KeyedOutcome[]
}

/** Text, because a string costs almost nothing between threads, while objects are copied field by field. */
export function encodeBatch(
  batch: readonly Addition[],
): [plain: string, plainCount: number, keyed: string, keyedCount: number] {
  const plain: Values[] = []
  const keyed: KeyedRow[] = []
  for (const { pet, idempotency } of batch) {
    const values = valuesOf(pet)
    if (idempotency === undefined) plain.push(values)
    else keyed.push([idempotency.keyId, idempotency.key, values])
  }
  return [JSON.stringify(plain), plain.length, keyed.length === 0 ? '' : JSON.stringify(keyed), keyed.length]
}

/** Combines identifiers and animals again, in the order of the batch. */
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
