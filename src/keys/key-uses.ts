import { ERRORS } from '../contract/errors.ts'
import { OPERATIONS, type Operation } from '../contract/operations.ts'
import { type Event, inBackground, type Observe } from '../observability/events.ts'
import { type Figures, figuresBy } from '../observability/metrics.ts'
import type { KeyStore } from '../store/store.ts'

/** A process that is killed loses what it has not recorded yet. */
const RECORD_EVERY_MS = 60_000

/** Counts the uses of keys, and among them calls of deprecated operations, from the events that report requests. */
export class KeyUses {
  /** Calls since the start, by deprecated operation. */
  readonly #deprecatedCalls = new Map<string, number>()
  /** Uses that are not recorded yet, by key id, also of keys that were revoked since. Only accepted keys, so it is bounded. */
  #uses = new Map<string, { at: number; deprecatedCalls: number }>()

  constructor() {
    for (const [operation, { deprecated }] of Object.entries<Operation>(OPERATIONS))
      if (deprecated) this.#deprecatedCalls.set(operation, 0)
  }

  readonly add = (event: Event, at: number): void => {
    // Only requests with an accepted key have a key id.
    if (event.kind !== 'request' || event.keyId === undefined) return
    const { keyId, operation, status } = event
    const calls = this.#deprecatedCalls.get(operation)
    const isCounted = calls !== undefined && status !== ERRORS.rate_limited.status
    if (isCounted) this.#deprecatedCalls.set(operation, calls + 1)
    this.#keep(keyId, at, isCounted ? 1 : 0)
  }

  figures(): Figures {
    return figuresBy('petstore_deprecated_calls_total', 'operation', this.#deprecatedCalls)
  }

  /** Records periodically. The returned function records once more and stops. */
  startRecording(keys: Pick<KeyStore, 'recordUses'>, observe: Observe) {
    let recording = Promise.resolve()
    const recordNext = () => inBackground('recording the uses of API keys', observe, () => this.record(keys))
    const record = (): Promise<void> => {
      recording = recording.then(recordNext)
      return recording
    }
    const timer = setInterval(record, RECORD_EVERY_MS)
    return (): Promise<void> => {
      clearInterval(timer)
      return record()
    }
  }

  /** Stores when each key was last used and how often it called deprecated operations, since the last time. */
  async record(keys: Pick<KeyStore, 'recordUses'>): Promise<void> {
    const uses = this.#uses
    if (uses.size === 0) return
    this.#uses = new Map()
    try {
      await keys.recordUses(Array.from(uses, ([id, use]) => ({ ...use, id, at: new Date(use.at) })))
    } catch (error) {
      // All of it is recorded the next time. A write that succeeded without a response is then counted twice.
      for (const [id, { at, deprecatedCalls }] of uses) this.#keep(id, at, deprecatedCalls)
      throw error
    }
  }

  #keep(keyId: string, at: number, deprecatedCalls: number): void {
    const use = this.#uses.get(keyId)
    if (use === undefined) this.#uses.set(keyId, { at, deprecatedCalls })
    else {
      use.at = Math.max(use.at, at)
      use.deprecatedCalls += deprecatedCalls
    }
  }
}
