import type { PetStatus } from '../../../contract/pet.ts'
import type { Added, Addition } from '../../store.ts'

/**
 * A batch and its outcome as text. Passing a string between threads costs almost nothing, while objects are copied
 * field by field, and SQLite reads the rows directly from the JSON. An int64 is decimal text.
 */
interface EncodedAdditions {
  /** `[name, categoryId, status]` of each animal without an idempotency key. */
  readonly plain: string
  readonly plainCount: number
  /** `[name, categoryId, status, keyId, key]` of each animal with one; empty if there is none. */
  readonly keyed: string
}

/** The batch as the arguments of a call. */
export type EncodedBatch = [plain: string, plainCount: number, keyed: string]

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

export function encodeAdditions(batch: readonly Addition[]): EncodedAdditions {
  const plain: string[][] = []
  const keyed: KeyedRow[] = []
  for (const { pet, idempotency } of batch) {
    const { name, categoryId, status } = pet
    if (idempotency === undefined) plain.push([name, String(categoryId), status])
    else keyed.push([name, String(categoryId), status, idempotency.keyId, idempotency.key])
  }
  return {
    plain: JSON.stringify(plain),
    plainCount: plain.length,
    keyed: keyed.length === 0 ? '' : JSON.stringify(keyed),
  }
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
