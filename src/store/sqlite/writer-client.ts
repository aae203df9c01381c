import { NEW_PET_FIELDS, petOfRow } from '../../contract/pet.ts'
import type { Observe } from '../../observability/events.ts'
import type { WriterLink } from '../engine.ts'
import { OutcomeUnknown, StorageUnavailable } from '../errors.ts'
import type { Added, Addition } from '../store.ts'
import type { Call, Result } from './writer.ts'
import type { FromWriter, ToWriter } from './writer-worker.ts'
import type { BatchOutcome, KeyedRow, NewRow } from './writes.ts'

interface ClientOptions {
  readonly link: WriterLink
  /** Maximum time from a call to its result, even if the disk hangs. */
  readonly deadlineMs: number
  readonly observe: Observe
}

interface PendingCall {
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
  readonly timer: Timer
}

/**
 * Calls the writer thread, each call with a deadline: a disk that hangs blocks that thread, but not the callers. If the thread
 * ends, its calls fail, and a port to its replacement arrives. A thread that misses a deadline is kept, because it may be in the
 * middle of a write; until it responds, calls are rejected.
 */
export class WriterClient {
  readonly #options: ClientOptions
  readonly #calls = new Map<number, PendingCall>()
  #port: MessagePort
  #lastId = 0
  /** Calls whose callers were told that the outcome is unknown, while the writer thread has not responded yet. */
  readonly #late = new Set<number>()
  #stalledAt = 0

  constructor(options: ClientOptions) {
    this.#options = options
    const [calls, renewals] = options.link
    this.#port = this.#receivingFrom(calls)
    renewals.onmessage = ({ data }: { data: MessagePort }) => this.#renew(data)
  }

  get isStalled(): boolean {
    return this.#late.size > 0
  }

  /** Text passes between threads at almost no cost, while objects are copied field by field. */
  async addPets(batch: readonly Addition[]): Promise<Added[]> {
    const plain: NewRow[] = []
    const keyed: KeyedRow[] = []
    for (const { pet, idempotency } of batch) {
      const values = NEW_PET_FIELDS.map(({ name }) => String(pet[name]))
      if (idempotency === undefined) plain.push(values)
      else keyed.push([idempotency.keyId, idempotency.key, values])
    }
    const result = await this.call('addPets', JSON.stringify(plain), JSON.stringify(keyed))
    return addedPets(batch, JSON.parse(String(result)) as BatchOutcome)
  }

  async call(...call: Call): Promise<Result> {
    if (this.isStalled) throw new StorageUnavailable('The writer hangs, perhaps with the disk', 'no-response')
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const id = ++this.#lastId
    const timer = setTimeout(() => this.#miss(id), this.#options.deadlineMs)
    this.#calls.set(id, { resolve, reject, timer })
    this.#port.postMessage([id, ...call] satisfies ToWriter)
    return promise
  }

  close(): void {
    this.#port.close()
    this.#options.link[1].close()
  }

  #receivingFrom(port: MessagePort): MessagePort {
    port.onmessage = ({ data }: { data: FromWriter }) => this.#receive(data)
    return port
  }

  #receive([id, outcome, content, detail, trouble]: FromWriter): void {
    const call = this.#take(id)
    if (outcome === 'done') {
      if (detail !== undefined) this.#options.observe(detail)
      call?.resolve(content)
    } else {
      const error = Object.assign(new Error(content), { code: detail })
      const Unavailable = outcome === 'unknown' ? OutcomeUnknown : StorageUnavailable
      call?.reject(outcome === 'failed' ? error : new Unavailable(error, trouble))
    }
  }

  /** The thread at the other end of the last port has ended. Its calls may or may not have been stored. */
  #renew(port: MessagePort): void {
    this.#port.close()
    this.#port = this.#receivingFrom(port)
    const error = new OutcomeUnknown('The writer thread ended')
    for (const id of this.#calls.keys()) this.#take(id)?.reject(error)
  }

  #take(id: number): PendingCall | undefined {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    clearTimeout(call?.timer)
    if (this.#late.delete(id) && !this.isStalled)
      this.#options.observe({ kind: 'storage-recovered', afterMs: performance.now() - this.#stalledAt })
    return call
  }

  #miss(id: number): void {
    const { deadlineMs, observe } = this.#options
    if (!this.isStalled) {
      this.#stalledAt = performance.now()
      observe({ kind: 'storage-stalled' })
    }
    this.#late.add(id)
    // A started write may or may not be on disk.
    const late = `The writer has not responded for ${deadlineMs} ms`
    this.#calls.get(id)?.reject(new OutcomeUnknown(late, 'no-response'))
  }
}

/** Combines animals with their identifiers, in the order of the batch. */
function addedPets(batch: readonly Addition[], { firstId, keyed }: BatchOutcome): Added[] {
  const outcomes = keyed.values()
  let next = BigInt(firstId)
  return batch.map(({ pet, idempotency }) => {
    const outcome = idempotency === undefined ? next++ : outcomes.next().value
    if (typeof outcome === 'object') return { pet: petOfRow(outcome), replayed: true }
    return { pet: { id: BigInt(outcome as bigint | string), ...pet }, replayed: false }
  })
}
