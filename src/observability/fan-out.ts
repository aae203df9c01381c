import type { Event, Observe } from './events.ts'

/** Tells every event to several listeners, those that come later included. */
export class FanOut {
  readonly #listeners: Observe[]

  constructor(...listeners: readonly Observe[]) {
    this.#listeners = [...listeners]
  }

  add(listener: Observe): void {
    this.#listeners.push(listener)
  }

  readonly observe = (event: Event): void => {
    for (const listen of this.#listeners) listen(event)
  }
}
