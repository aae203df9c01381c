import type { RoutedRequest } from '../http/endpoint.ts'
import type { MaybePromise } from '../maybe-promise.ts'

/** At most this many requests start in one turn of the event loop, and none after TURN_MS; the rest wait for the next turn. */
const REQUESTS_A_TURN = 200
const TURN_MS = 25
/** This many start even after TURN_MS, so that one slow request does not cost a client that pipelines a few its connection. */
const SLOW_REQUESTS_A_TURN = 20

export type Fetch = (request: RoutedRequest) => MaybePromise<Response>

/**
 * Bounds the requests that start in one turn of the event loop. The runtime takes everything that a connection has sent, and every
 * new connection, before another one gets a turn, so clients that pipeline requests could hold up all others. Requests above the
 * limits wait in a queue, which the next turns empty, oldest first. The runtime closes a connection whose next request arrives while a
 * response waits, so the queue is no longer than the number of connections.
 */
export class Turns {
  /** Increases with every turn in which requests start. */
  number = 0
  #started = 0
  #endsAt = 0
  readonly #waiting: (() => void)[] = []

  bounding(fetch: Fetch): Fetch {
    return request => {
      if (this.#waiting.length === 0 && this.#mayStart()) return fetch(request)
      return new Promise((resolve, reject) => {
        this.#waiting.push(() => {
          try {
            resolve(request.signal.aborted ? new Response() : fetch(request))
          } catch (error) {
            reject(error)
          }
        })
      })
    }
  }

  /** Counts a request that starts in this turn, if it may. */
  #mayStart(): boolean {
    if (this.#started === 0) {
      this.number++
      this.#endsAt = performance.now() + TURN_MS
      setImmediate(this.#next)
    }
    const isLate = this.#started >= SLOW_REQUESTS_A_TURN && performance.now() >= this.#endsAt
    if (isLate || this.#started >= REQUESTS_A_TURN) return false
    this.#started++
    return true
  }

  readonly #next = (): void => {
    this.#started = 0
    let begun = 0
    while (begun < this.#waiting.length && this.#mayStart()) this.#waiting[begun++]?.()
    this.#waiting.splice(0, begun)
  }
}
