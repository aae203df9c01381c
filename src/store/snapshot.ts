import type { Pet } from '../contract/pet.ts'
import type { DeprecatedCalls, MaybePromise } from './store.ts'
import { inBatches, type RememberedRequest, type Snapshot, type StoredKey } from './transfer.ts'

/** What an engine reads in one transaction, and how it reads the rest later. */
interface Moment {
  readonly cursorSecret: string
  readonly lastId: bigint
  readonly keys: readonly StoredKey[]
  readonly deprecatedCalls: readonly DeprecatedCalls[]
  readonly petCount: number
  readonly requestCount: number
  readonly petsAfter: (id: bigint) => MaybePromise<readonly Pet[]>
  /** Oldest first: requests that are forgotten meanwhile were already read or have expired. */
  readonly requestsAfter: (request: RequestOrder) => MaybePromise<readonly RememberedRequest[]>
  readonly close: () => MaybePromise<void>
}

export type RequestOrder = Pick<RememberedRequest, 'createdAt' | 'keyId' | 'key'>

const OLDEST: RequestOrder = { createdAt: new Date(0), keyId: '', key: '' }

/**
 * One state of a database without an open transaction: a paused reader would keep the engine from cleaning up. Animals
 * never change and requests refer to theirs, so the highest identifier selects those of the snapshot; the rest is
 * small.
 */
export const snapshotOf = ({ keys, deprecatedCalls, ...moment }: Moment): Snapshot => ({
  cursorSecret: moment.cursorSecret,
  lastId: moment.lastId,
  counts: {
    pets: moment.petCount,
    keys: keys.length,
    requests: moment.requestCount,
    deprecatedCalls: deprecatedCalls.length,
  },
  batches: {
    pets: (after = 0n) => batchesAfter(after, moment.petsAfter, ({ id }) => id),
    keys: () => inBatches(keys),
    requests: () => batchesAfter(OLDEST, moment.requestsAfter, request => request),
    deprecatedCalls: () => inBatches(deprecatedCalls),
  },
  close: moment.close,
})

async function* batchesAfter<Item, Position>(
  start: Position,
  read: (after: Position) => MaybePromise<readonly Item[]>,
  positionOf: (item: Item) => Position,
): AsyncGenerator<readonly Item[]> {
  for (let after = start; ; ) {
    const batch = await read(after)
    const last = batch.at(-1)
    if (last === undefined) return
    yield batch
    after = positionOf(last)
  }
}
