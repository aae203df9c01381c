import type { NewPet, Pet } from '../../contract/pet.ts'
import { PET_FIELDS } from '../rows.ts'
import type { Added, Addition } from '../store.ts'

/** The fields that a client sends, in the order in which a batch has them. */
export const NEW_FIELDS = PET_FIELDS.filter((field): field is NewField => field.name !== 'id')
type NewField = (typeof PET_FIELDS)[number] & { readonly name: keyof NewPet }
type Values = string[]

/**
 * A batch as text, which a call passes to the writer: a string costs almost nothing between threads, while objects are copied
 * field by field, and SQLite reads the rows directly from the JSON. An int64 is decimal text.
 */
export type EncodedBatch = [
  /** The values of each animal without an idempotency key. */
  plain: string,
  plainCount: number,
  /** A `KeyedRow` of each animal with one; empty if there is none. */
  keyed: string,
]

export type KeyedRow = [keyId: string, key: string, values: Values]

/** Its identifier, and the values of an animal that an earlier request added. */
export type KeyedOutcome = [id: string, known?: Values]

export interface BatchOutcome {
  /** The first identifier of the plain animals; the others follow it. */
  readonly firstId: string
  readonly keyed: readonly KeyedOutcome[]
  readonly commitMs: number
}

export function encodeBatch(batch: readonly Addition[]): EncodedBatch {
  const plain: Values[] = []
  const keyed: KeyedRow[] = []
  for (const { pet, idempotency } of batch) {
    const values = valuesOf(pet)
    if (idempotency === undefined) plain.push(values)
    else keyed.push([idempotency.keyId, idempotency.key, values])
  }
  return [JSON.stringify(plain), plain.length, keyed.length === 0 ? '' : JSON.stringify(keyed)]
}

export const valuesOf = (pet: NewPet): Values => NEW_FIELDS.map(({ name }) => String(pet[name]))

const petOfValues = (id: bigint, values: Values): Pet => {
  const fields = NEW_FIELDS.map(({ name, kind }, index) => {
    const value = values[index] as string
    return [name, kind === 'int64' ? BigInt(value) : value]
  })
  return { id, ...Object.fromEntries(fields) } as Pet
}

/** Combines identifiers and animals again, in the order of the batch. */
export function addedPets(batch: readonly Addition[], { firstId, keyed }: BatchOutcome): Added[] {
  const outcomes = keyed.values()
  let id = BigInt(firstId)
  return batch.map(({ pet, idempotency }) => {
    if (idempotency === undefined) return { pet: { id: id++, ...pet }, replayed: false }
    const [keyedId, known] = outcomes.next().value as KeyedOutcome
    return known === undefined
      ? { pet: { id: BigInt(keyedId), ...pet }, replayed: false }
      : { pet: petOfValues(BigInt(keyedId), known), replayed: true }
  })
}
