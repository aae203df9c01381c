import type { NewPet, Pet } from '../contract/pet.ts'
import { OperatorError } from '../operator-error.ts'
import type { DeprecatedCalls, KeyRecord, MaybePromise } from './store.ts'

export interface StoredKey extends KeyRecord {
  readonly hash: string
}

/** A request that is recognised when it is repeated, with the animal it added. */
export interface RememberedRequest {
  readonly keyId: string
  readonly key: string
  readonly pet: Pet
  readonly createdAt: Date
}

/** Everything in a database that a move must keep. */
export interface Records {
  readonly pets: Pet
  readonly keys: StoredKey
  readonly requests: RememberedRequest
  readonly deprecatedCalls: DeprecatedCalls
}

export type Part = keyof Records

/** In the order in which they are moved: a remembered request refers to its animal. */
export const PARTS: readonly Part[] = ['pets', 'keys', 'requests', 'deprecatedCalls']

export type RecordCounts = { readonly [part in Part]: number }

/** How many records are held in memory at a time. */
export const BATCH_SIZE = 10_000

export async function* inBatches<T>(records: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < records.length; from += BATCH_SIZE) yield records.slice(from, from + BATCH_SIZE)
}

/**
 * One consistent state of a database, regardless of concurrent writes, without locking it: the reader may pause at any
 * time. Expired requests may be gone by the time they are read.
 */
export interface Snapshot {
  readonly cursorSecret: string
  /** The highest identifier ever assigned, which may be above the highest stored one. */
  readonly lastId: bigint
  readonly counts: RecordCounts
  /** Animals by id, keys by id, requests by age, key id and key, calls by key id and operation: the same order on every engine. */
  readonly batches: { readonly [part in Part]: (after?: bigint) => AsyncIterable<readonly Records[part][]> }
  close(): MaybePromise<void>
}

/** The target of a copy. Until `finish` it is marked as unfinished, and no store opens it. */
export interface CopyTarget {
  /**
   * Marks the target, or resumes an interrupted copy of the same source. Returns the last animal that is already there.
   * Refuses a target that holds anything else.
   */
  begin(source: CopySource): MaybePromise<bigint>
  readonly add: { readonly [part in Part]: (batch: readonly Records[part][]) => MaybePromise<void> }
  /** What is stored so far, read back. */
  snapshot(): MaybePromise<Snapshot>
  /** Empties the target, which stays marked. */
  clear(): MaybePromise<void>
  /** Sets the counter to that of the source and removes the mark. */
  finish(lastId: bigint): MaybePromise<void>
  close(): MaybePromise<void>
}

export interface CopySource {
  /** Without secrets, for output. */
  readonly name: string
  /** Distinguishes databases. The copy takes it over, so that clients' cursors stay valid. */
  readonly cursorSecret: string
}

/** Animals that are staged invisibly and then added all at once, or not at all. */
export interface Stage {
  gather(pets: readonly NewPet[]): MaybePromise<void>
  /** Adds the staged animals in order, in one transaction. Undefined if there are none. */
  publish(): MaybePromise<IdRange | undefined>
  close(): MaybePromise<void>
}

export const noRoomToGather = (cause: unknown): OperatorError =>
  new OperatorError(
    'There is not enough space for the animals in the temporary folder; none was added. Set TMPDIR to another folder.',
    { cause },
  )

export interface IdRange {
  /** How many of them an earlier run of the same import had already added. */
  readonly replayed?: number
  readonly first: bigint
  readonly last: bigint
}
