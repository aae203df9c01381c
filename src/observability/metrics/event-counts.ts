import { type Event, REFUSALS, type Refusal } from '../events.ts'
import type { Exposition } from './exposition.ts'
import { DURATIONS, Histogram, SIZES } from './histogram.ts'

type RequestEvent = Extract<Event, { kind: 'request' }>

const STATUSES = 600
const RATE_LIMITED = 429
/** Events counted in a row cost a fraction of what each costs amid the work of a request. */
const BATCH = 256

interface OperationCounts {
  /** By status, all from the start: an array with holes is slow to count in. */
  readonly answers: number[]
  readonly durations: Histogram
  /** Those with a valid key that no rate limit refused. */
  calls: number
}

/** Counts reported events. An event allocates nothing: text is generated at a scrape. */
export class EventCounts {
  readonly #operations = new Map<string, OperationCounts>()
  readonly #refusals: Record<Refusal, number>
  readonly #deprecated: readonly string[]
  readonly #batchSizes = new Histogram(SIZES)
  readonly #batchDurations = new Histogram(DURATIONS)
  readonly #commitDurations = new Histogram(DURATIONS)
  #uncounted: Event[] = []
  #backgroundFailures = 0
  #spansDropped = 0
  #restarts = 0

  /** Takes the deprecated operations. */
  constructor(deprecated: readonly string[]) {
    this.#refusals = Object.fromEntries(REFUSALS.map(reason => [reason, 0])) as Record<Refusal, number>
    this.#deprecated = deprecated
  }

  readonly observe = (event: Event): void => {
    this.#uncounted.push(event)
    if (this.#uncounted.length >= BATCH) this.#countAll()
  }

  #countAll(): void {
    const events = this.#uncounted
    this.#uncounted = []
    for (const event of events) this.#count(event)
  }

  #count(event: Event): void {
    switch (event.kind) {
      case 'request':
        this.#countRequest(event)
        break
      case 'batch-stored':
        this.#batchSizes.observe(event.size)
        this.#batchDurations.observe(event.durationMs / 1000)
        this.#commitDurations.observe(event.commitMs / 1000)
        break
      case 'background-task-failed':
        this.#backgroundFailures++
        break
      case 'spans-dropped':
        this.#spansDropped += event.count
        break
      case 'process-ended':
        this.#restarts++
        break
    }
  }

  writeTo(page: Exposition): void {
    this.#countAll()
    page.values('petstore_requests_total', this.#answers())
    page.histograms(
      'petstore_request_duration_seconds',
      [...this.#operations].map(([operation, { durations }]) => [{ operation }, durations]),
    )
    page.values(
      'petstore_authentication_failures_total',
      Object.entries(this.#refusals).map(([reason, count]) => [{ reason }, count]),
    )
    page.values(
      'petstore_deprecated_calls_total',
      this.#deprecated.map(operation => [{ operation }, this.#operations.get(operation)?.calls ?? 0]),
    )
    page.histograms('petstore_store_batch_size', [[{}, this.#batchSizes]])
    page.histograms('petstore_store_batch_duration_seconds', [[{}, this.#batchDurations]])
    page.histograms('petstore_store_commit_duration_seconds', [[{}, this.#commitDurations]])
    page.value('petstore_background_failures_total', this.#backgroundFailures)
    page.value('petstore_spans_dropped_total', this.#spansDropped)
    page.value('petstore_process_restarts_total', this.#restarts)
  }

  #countRequest({ operation, status, durationMs, keyId, refusal }: RequestEvent): void {
    const counts = this.#operations.get(operation) ?? this.#begin(operation)
    counts.answers[status] = (counts.answers[status] as number) + 1
    counts.durations.observe(durationMs / 1000)
    if (refusal !== undefined) this.#refusals[refusal]++
    if (keyId !== undefined && status !== RATE_LIMITED) counts.calls++
  }

  /** Operations and routes are few and our own, so they need no bound. */
  #begin(operation: string): OperationCounts {
    const answers = Array.from({ length: STATUSES }, () => 0)
    const counts = { answers, durations: new Histogram(DURATIONS), calls: 0 }
    this.#operations.set(operation, counts)
    return counts
  }

  *#answers(): Generator<[{ operation: string; status: string }, number]> {
    for (const [operation, { answers }] of this.#operations)
      for (const [status, count] of answers.entries())
        if (count > 0) yield [{ operation, status: String(status) }, count]
  }
}
