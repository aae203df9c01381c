import { createHash } from 'node:crypto'
import { petToJson } from '../contract/pet.ts'
import type { MaybePromise } from '../store/store.ts'
import type { Part, Records, Snapshot } from '../store/transfer.ts'

/** One line per record, the same for every engine, so that equal checksums mean equal contents. */
const LINE: { readonly [part in Part]: (record: Records[part]) => string } = {
  pets: petToJson,
  keys: key =>
    JSON.stringify([
      ...[key.id, key.name, key.hint, key.hash],
      ...[key.createdAt, key.expiresAt, key.revokedAt, key.lastUsedAt].map(date => date?.getTime() ?? null),
    ]),
  requests: ({ keyId, key, pet, createdAt }) =>
    `${JSON.stringify([keyId, key, createdAt.getTime()])}${petToJson(pet)}`,
  deprecatedCalls: ({ keyId, operation, calls, lastAt }) =>
    JSON.stringify([keyId, operation, calls, lastAt.getTime()]),
}

export interface Digest {
  readonly count: number
  readonly checksum: string
}

/** Counts and sums up records as they pass. */
export class Summing<P extends Part> {
  readonly #part: P
  readonly #hash = createHash('sha256')
  #count = 0

  constructor(part: P) {
    this.#part = part
  }

  add(batch: readonly Records[P][]): void {
    this.#hash.update(batch.map(LINE[this.#part]).join('\n')).update('\n')
    this.#count += batch.length
  }

  digest(): Digest {
    return { count: this.#count, checksum: this.#hash.digest('hex') }
  }
}

/** Counts and sums up what is stored, by reading all of it. */
export async function digestOf<P extends Part>(
  snapshot: Snapshot,
  part: P,
  onRead: (records: number) => MaybePromise<void>,
): Promise<Digest> {
  const summing = new Summing(part)
  for await (const batch of snapshot.batches[part]()) {
    summing.add(batch)
    await onRead(batch.length)
  }
  return summing.digest()
}
