import type { Observe } from '../../observability/events.ts'

const TURN_MS = 25
const QUIET_TURNS = 20
const AT_MOST_MS = 3000

/**
 * The time in which answers say `Connection: close` and clients leave by themselves. It ends when nobody has asked for anything
 * for half a second: the runtime then closes the connections that are left, and would reset one that is just being used again.
 */
export class Departure {
  #answers = 0

  /** Passes events on, and notices that clients are still there. Those without a key, health checks above all, do not count. */
  noticing(observe: Observe): Observe {
    return event => {
      if (event.kind === 'request' && event.keyId !== undefined) this.#answers++
      observe(event)
    }
  }

  /** Resolves when the clients have left, with the milliseconds that it took. */
  async over(): Promise<number> {
    const beganAt = performance.now()
    let seen = this.#answers
    // Counted in turns of the event loop: a process that was held up has yet to read what came in meanwhile.
    for (let quiet = 0; quiet < QUIET_TURNS && performance.now() - beganAt < AT_MOST_MS; quiet++) {
      await Bun.sleep(TURN_MS)
      if (this.#answers !== seen) quiet = -1
      seen = this.#answers
    }
    return performance.now() - beganAt
  }
}
