import type { Observe } from '../observability/events.ts'

const QUIET_MS = 500
const AT_MOST_MS = 3000

/**
 * The time in which answers say `Connection: close` and clients leave by themselves. It ends when nobody has asked for anything
 * for a while: the runtime then closes the connections that are left, and would reset one that is just being used again.
 */
export class Departure {
  #beganAt: number | undefined
  #lastAnswerAt = 0

  /** Passes events on, and notices that clients are still there. Those without a key, health checks above all, do not count. */
  noticing(observe: Observe): Observe {
    return event => {
      if (this.#beganAt !== undefined && event.kind === 'request' && event.keyId !== undefined)
        this.#lastAnswerAt = performance.now()
      observe(event)
    }
  }

  /** Resolves when the clients have left, with the milliseconds that it took. */
  async over(): Promise<number> {
    const beganAt = performance.now()
    this.#beganAt = beganAt
    for (;;) {
      const now = performance.now()
      const quietMs = now - Math.max(beganAt, this.#lastAnswerAt)
      const tookMs = now - beganAt
      if (quietMs >= QUIET_MS || tookMs >= AT_MOST_MS) return tookMs
      await Bun.sleep(Math.min(QUIET_MS - quietMs, AT_MOST_MS - tookMs) + 1)
    }
  }
}
