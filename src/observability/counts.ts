import { AUTH_FAILURES, type AuthFailure, type Event, type RequestEvent } from './events.ts'

const STATUSES = 600
const RATE_LIMITED = 429
const LAG_EVERY_MS = 50

/** Upper bounds of the histograms: times in seconds, from a cached response to one that is as good as lost, and batch sizes. */
export const DURATIONS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
]
export const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]

/** Counts of values by size: one count for each bound, and one for values above all bounds. */
export interface Histogram {
  readonly counts: number[]
  sum: number
}

const histogram = (bounds: readonly number[]): Histogram => ({ counts: zeros(bounds.length + 1), sum: 0 })

const zeros = (length: number): number[] => Array.from({ length }, () => 0)

/** Plain numbers in an array: an observation is a short search and two additions. */
function observe(histogram: Histogram, bounds: readonly number[], value: number): void {
  let index = 0
  // Searches from below, because most values are small.
  while (index < bounds.length && value > (bounds[index] as number)) index++
  histogram.counts[index] = (histogram.counts[index] as number) + 1
  histogram.sum += value
}

interface OperationCounts {
  /** By status. Filled with zeros from the start, because counting in an array with holes is slow. */
  readonly responses: number[]
  readonly durations: Histogram
  /** Requests with a valid key that no rate limit rejected. */
  calls: number
}

/** Everything that a thread counts; plain data, so that it can be sent to another thread. */
export const newCounts = () => ({
  operations: {} as Record<string, OperationCounts>,
  authFailures: Object.fromEntries(AUTH_FAILURES.map(reason => [reason, 0])) as Record<AuthFailure, number>,
  batchSizes: histogram(SIZES),
  commits: histogram(DURATIONS),
  lag: histogram(DURATIONS),
  backgroundFailures: 0,
  /** By operation. */
  caches: {} as Readonly<Record<string, { readonly hits: number; readonly misses: number }>>,
})
export type Counts = ReturnType<typeof newCounts>

/** Counts the events of one thread. */
export class Counter {
  readonly counts = newCounts()

  /** For a thread that serves requests: how long its event loop makes them wait. */
  measureLag(): void {
    let due = performance.now() + LAG_EVERY_MS
    const measure = (): void => {
      const now = performance.now()
      observe(this.counts.lag, DURATIONS, Math.max(0, now - due) / 1000)
      due = now + LAG_EVERY_MS
    }
    setInterval(measure, LAG_EVERY_MS).unref()
  }

  readonly add = (event: Event): void => {
    if (event.kind === 'request') this.#countRequest(event)
    else if (event.kind === 'batch-stored') {
      observe(this.counts.batchSizes, SIZES, event.size)
      observe(this.counts.commits, DURATIONS, event.commitMs / 1000)
    } else if (event.kind === 'background-task-failed') this.counts.backgroundFailures++
  }

  #countRequest({ operation, status, durationMs, keyId, authFailure }: RequestEvent): void {
    const { operations, authFailures } = this.counts
    // There are few operations and routes, all defined by the service, so they need no limit.
    operations[operation] ??= { responses: zeros(STATUSES), durations: histogram(DURATIONS), calls: 0 }
    const counts = operations[operation]
    counts.responses[status] = (counts.responses[status] as number) + 1
    observe(counts.durations, DURATIONS, durationMs / 1000)
    if (authFailure !== undefined) authFailures[authFailure]++
    if (keyId !== undefined && status !== RATE_LIMITED) counts.calls++
  }
}

/** Adds up counts of the same shape, number by number. */
export function sumOf<Figures>(one: Figures, other: Figures): Figures {
  if (typeof one === 'number') return ((one as number) + (other as number)) as Figures
  if (Array.isArray(one)) return one.map((each, at) => sumOf(each, (other as unknown[])[at])) as Figures
  const [first, second] = [one, other] as Record<string, unknown>[]
  const names = Object.keys({ ...first, ...second })
  const sums = names.map(name => {
    const [a, b] = [first?.[name], second?.[name]]
    return [name, a === undefined ? b : b === undefined ? a : sumOf(a, b)]
  })
  return Object.fromEntries(sums) as Figures
}
