import type { Observe } from './events.ts'

/** Passes every event to all listeners. A single one is called directly: this runs for every request. */
export function fanOut(listeners: readonly (Observe | undefined)[]): Observe {
  const [first, second, ...rest] = listeners.filter(listener => listener !== undefined)
  if (first === undefined) return () => {}
  if (second === undefined) return first
  const others = rest.length > 0 ? fanOut([second, ...rest]) : second
  return event => {
    first(event)
    others(event)
  }
}
