const TURN_MS = 25
const QUIET_TURNS = 20
const AT_MOST_MS = 3000

/**
 * The time after a signal to stop: responses say `Connection: close`, so that clients close. It ends when no client has
 * asked for anything for half a second: the runtime then closes the connections that are left, and would reset one in use.
 */
export class Draining {
  #responses = 0
  #hasBegun = false

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Those without a key, health checks above all, do not count. */
  countResponse(keyId: string | undefined): void {
    if (keyId !== undefined) this.#responses++
  }

  /** Begins; resolves when the clients have left, with the milliseconds that it took. */
  async untilQuiet(): Promise<number> {
    this.#hasBegun = true
    const beganAt = performance.now()
    let seen = this.#responses
    // Counted in turns of the event loop: a process that was held up has yet to read what came in meanwhile.
    for (let quiet = 0; quiet < QUIET_TURNS && performance.now() - beganAt < AT_MOST_MS; quiet++) {
      await Bun.sleep(TURN_MS)
      if (this.#responses !== seen) quiet = -1
      seen = this.#responses
    }
    return performance.now() - beganAt
  }
}
