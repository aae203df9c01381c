import type { NewPet, Pet } from '../contract/pet.ts'
import { OperatorError } from '../operator-error.ts'
import type { DeprecatedCalls, KeyRecord, MaybePromise } from './store.ts'

export interface StoredKey extends KeyRecord {
  readonly hash: string
}

/** A request that is recognised when it is repeated, with the animal that it added. */
export interface RememberedRequest {
  readonly keyId: string
  readonly key: string
  readonly pet: Pet
  readonly createdAt: Date
}

/** All that a database holds and a move must keep. */
export interface Records {
  readonly pets: Pet
  readonly keys: StoredKey
  readonly requests: RememberedRequest
  readonly deprecatedCalls: DeprecatedCalls
}

export type Part = keyof Records

/** In the order in which they are moved: a remembered request points to its animal. */
export const PARTS: readonly Part[] = ['pets', 'keys', 'requests', 'deprecatedCalls']

export type RecordCounts = { readonly [part in Part]: number }

/** How many records are held in memory at a time. */
export const BATCH_SIZE = 10_000

export async function* inBatches<T>(records: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < records.length; from += BATCH_SIZE) yield records.slice(from, from + BATCH_SIZE)
}

/**
 * One consistent state of a database, regardless of concurrent writes, and without locking it: the reader may pause for as
 * long as they like. Requests that are past their time may be gone when they are read.
 */
export interface Snapshot {
  readonly cursorSecret: string
  /** The highest identifier ever given, which may be above the highest that is stored. */
  readonly lastId: bigint
  readonly counts: RecordCounts
  /** Animals by id, keys by id, requests by age, key id and key, calls by key id and operation: the same order on every engine. */
  readonly batches: { readonly [part in Part]: (after?: bigint) => AsyncIterable<readonly Records[part][]> }
  close(): MaybePromise<void>
}

/** A database that a copy goes into. Until `finish`, it is marked as unfinished and no store opens on it. */
export interface CopyTarget {
  /**
   * Marks the target, or takes up a copy of the same source that was interrupted; the last animal that is there already.
   * Refuses a target that holds anything else.
   */
  begin(source: CopySource): MaybePromise<bigint>
  readonly add: { readonly [part in Part]: (batch: readonly Records[part][]) => MaybePromise<void> }
  /** What is stored by now, read back. */
  snapshot(): MaybePromise<Snapshot>
  /** Empties the target, which stays marked. */
  clear(): MaybePromise<void>
  /** Goes on counting where the source stopped, and takes the mark away. */
  finish(lastId: bigint): MaybePromise<void>
  close(): MaybePromise<void>
}

export interface CopySource {
  /** As people may see it. */
  readonly name: string
  /** Tells one database from another, and is taken over: cursors that clients hold stay good. */
  readonly cursorSecret: string
}

/** Animals that are staged invisibly and then added all at once, or not added. */
export interface Stage {
  gather(pets: readonly NewPet[]): MaybePromise<void>
  /** Adds what was gathered, in that order, in one transaction. Undefined where that is nothing. */
  publish(): MaybePromise<IdRange | undefined>
  close(): MaybePromise<void>
}

export const noRoomToGather = (cause: unknown): OperatorError =>
  new OperatorError(
    'There is not enough space for the animals in the temporary folder; none was added. Set TMPDIR to another folder.',
    { cause },
  )

export interface IdRange {
  /** How many of them an earlier run of the same import had added already. */
  readonly replayed?: number
  readonly first: bigint
  readonly last: bigint
}
