import type { Observe } from './events.ts'

/** Passes every event to all listeners. A single one is called directly: this runs for every request. */
export function fanOut(listeners: readonly (Observe | undefined)[]): Observe {
  const [first = () => {}, ...others] = listeners.filter(listener => listener !== undefined)
  if (others.length === 0) return first
  const rest = fanOut(others)
  return event => {
    first(event)
    rest(event)
  }
}
