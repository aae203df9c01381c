import type { PetStatus } from '../../../contract/pet.ts'
import type { Added, Addition } from '../../store.ts'

/**
 * A batch as text, which a call passes to the writer: a string costs almost nothing between threads, while objects are
 * copied field by field, and SQLite reads the rows directly from the JSON. An int64 is decimal text.
 */
export type EncodedBatch = [
  /** `[name, categoryId, status]` of each animal without an idempotency key. */
  plain: string,
  plainCount: number,
  /** A `KeyedRow` of each animal with one; empty if there is none. */
  keyed: string,
]

export interface Inserted {
  /** The first identifier of the plain animals; the others follow it. */
  readonly firstId: string
  readonly keyed: readonly KeyedOutcome[]
}

export interface AdditionOutcome extends Inserted {
  readonly commitMs: number
}

export type KeyedRow = [name: string, categoryId: string, status: PetStatus, keyId: string, key: string]
export type KeyedOutcome = [
  id: string,
  name: string,
  categoryId: string,
  status: PetStatus,
  replayed: boolean,
]

export function encodeAdditions(batch: readonly Addition[]): EncodedBatch {
  const plain: string[][] = []
  const keyed: KeyedRow[] = []
  for (const { pet, idempotency } of batch) {
    const { name, categoryId, status } = pet
    if (idempotency === undefined) plain.push([name, String(categoryId), status])
    else keyed.push([name, String(categoryId), status, idempotency.keyId, idempotency.key])
  }
  return [JSON.stringify(plain), plain.length, keyed.length === 0 ? '' : JSON.stringify(keyed)]
}

export const decodeOutcome = (encoded: string): AdditionOutcome => JSON.parse(encoded) as AdditionOutcome

/** Combines identifiers and animals again, in the order of the batch. */
export function addedPets(batch: readonly Addition[], { firstId, keyed }: Inserted): Added[] {
  const outcomes = keyed.values()
  let id = BigInt(firstId)
  return batch.map(({ pet, idempotency }) => {
    if (idempotency === undefined) return { pet: { id: id++, ...pet }, replayed: false }
    const [keyedId, name, categoryId, status, replayed] = outcomes.next().value as KeyedOutcome
    return { pet: { id: BigInt(keyedId), name, categoryId: BigInt(categoryId), status }, replayed }
  })
}
