import type { Event } from './events.ts'

const FLUSH_AT = 256
const FLUSH_AFTER_MS = 50

interface EventListener {
  readonly add: (event: Event, at: number) => void
  /** Called after the last event of a batch. */
  readonly flush?: () => void
}

/**
 * Gathers events and hands many at once to the log and the metrics: handled in a row they cost a quarter of what each
 * costs amid the work of a request.
 */
export class EventQueue {
  readonly #listeners: readonly EventListener[]
  #events: Event[] = []
  #times: number[] = []
  #timer: Timer | undefined

  constructor(listeners: readonly (EventListener | undefined)[]) {
    this.#listeners = listeners.filter(listener => listener !== undefined)
  }

  readonly observe = (event: Event): void => {
    this.#times.push(Date.now())
    if (this.#events.push(event) >= FLUSH_AT) this.flush()
    else this.#timer ??= setTimeout(this.flush, FLUSH_AFTER_MS)
  }

  readonly flush = (): void => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const [events, times] = [this.#events, this.#times]
    this.#events = []
    this.#times = []
    for (const { add, flush } of this.#listeners) {
      for (let place = 0; place < events.length; place++) add(events[place] as Event, times[place] as number)
      flush?.()
    }
  }
}
