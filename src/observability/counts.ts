import { AUTH_FAILURES, type Event, type RequestEvent } from './events.ts'
import { type Figures, figuresBy, type MetricName, series } from './metrics.ts'

const LAG_EVERY_MS = 50

/** Upper bounds of durations, in seconds. A response from the cache takes about as long as the first. */
const DURATIONS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
]
/** Upper bounds of batch sizes. */
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]

/** Counts values by size: one count for each bound, and one for values above all bounds. */
class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array(bounds.length + 1).fill(0)
  }

  observe(value: number): void {
    const [bounds, counts] = [this.#bounds, this.#counts]
    let index = 0
    // Searches from below, because most values are small.
    while (index < bounds.length && value > (bounds[index] as number)) index++
    counts[index] = (counts[index] as number) + 1
    this.#sum += value
  }

  /** A bucket includes the smaller ones. */
  figures(name: MetricName, labels: Readonly<Record<string, string>> = {}): Figures {
    const figures: Record<string, number> = {}
    let total = 0
    for (const [index, count] of this.#counts.entries()) {
      total += count
      figures[series(`${name}_bucket`, { ...labels, le: this.#bounds[index] ?? '+Inf' })] = total
    }
    figures[series(`${name}_sum`, labels)] = this.#sum
    figures[series(`${name}_count`, labels)] = total
    return figures
  }
}

const increase = <Key>(counts: Map<Key, number>, key: Key): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)

interface OperationCounts {
  readonly byStatus: Map<number, number>
  readonly durations: Histogram
}

/** Counts the events of one thread. Counting is far more frequent than reporting, so series get their names only in the report. */
export class Counter {
  readonly #operations = new Map<string, OperationCounts>()
  readonly #authFailures = new Map(AUTH_FAILURES.map(reason => [reason, 0]))
  readonly #batchSizes = new Histogram(SIZES)
  readonly #commits = new Histogram(DURATIONS)
  readonly #lag = new Histogram(DURATIONS)
  #backgroundFailures = 0

  /** For a thread that serves requests: how long its event loop makes them wait. */
  measureLag(): void {
    let due = performance.now() + LAG_EVERY_MS
    const measure = (): void => {
      const now = performance.now()
      this.#lag.observe(Math.max(0, now - due) / 1000)
      due = now + LAG_EVERY_MS
    }
    setInterval(measure, LAG_EVERY_MS).unref()
  }

  readonly add = (event: Event): void => {
    if (event.kind === 'request') this.#countRequest(event)
    else if (event.kind === 'batch-stored') {
      this.#batchSizes.observe(event.size)
      this.#commits.observe(event.commitMs / 1000)
    } else if (event.kind === 'background-task-failed') this.#backgroundFailures++
  }

  figures(): Figures {
    const figures: Record<string, number | undefined> = {
      ...figuresBy('petstore_authentication_failures_total', 'reason', this.#authFailures),
      petstore_background_failures_total: this.#backgroundFailures,
      ...this.#batchSizes.figures('petstore_store_batch_size'),
      ...this.#commits.figures('petstore_store_commit_duration_seconds'),
      ...this.#lag.figures('petstore_event_loop_lag_seconds'),
    }
    for (const [operation, { byStatus, durations }] of this.#operations) {
      for (const [status, count] of byStatus)
        figures[series('petstore_requests_total', { operation, status })] = count
      Object.assign(figures, durations.figures('petstore_request_duration_seconds', { operation }))
    }
    return figures
  }

  #countRequest({ operation, status, durationMs, authFailure }: RequestEvent): void {
    let counts = this.#operations.get(operation)
    if (counts === undefined) {
      // There are few operations and routes, all defined by the service, so they need no limit.
      counts = { byStatus: new Map(), durations: new Histogram(DURATIONS) }
      this.#operations.set(operation, counts)
    }
    increase(counts.byStatus, status)
    counts.durations.observe(durationMs / 1000)
    if (authFailure !== undefined) increase(this.#authFailures, authFailure)
  }
}
