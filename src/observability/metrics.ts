import { AUTH_FAILURES, type AuthFailure, type Event, type RequestEvent } from './events.ts'

/** Every metric there is. Labels take few values, all of our own making: no key, no text of a client. */
export const METRICS = {
  petstore_info: ['gauge', 'Always 1; the labels version, environment and engine say what is running.'],
  petstore_requests_total: ['counter', 'Completed requests, by operation (or route) and status.'],
  petstore_request_duration_seconds: ['histogram', 'Time from a request to its response, by operation.'],
  petstore_authentication_failures_total: ['counter', 'Requests refused with 401, by reason.'],
  petstore_cache_reads_total: ['counter', 'Reads by operation and result: hit (from memory) or miss.'],
  petstore_store_writes_waiting: ['gauge', 'Animals waiting to be stored.'],
  petstore_store_stalled: ['gauge', '1 while a write is overdue: the disk may hang.'],
  petstore_store_log_bytes: ['gauge', "Size of SQLite's write-ahead log. It grows during long reads."],
  petstore_store_batch_size: ['histogram', 'Animals made durable by one commit.'],
  petstore_store_commit_duration_seconds: ['histogram', 'Time of a commit, including its wait for the disk.'],
  petstore_backup_timestamp_seconds: ['gauge', 'When SQLite was last backed up; 0 if it never was.'],
  petstore_pool_waiting: ['gauge', 'Calls waiting for a connection to PostgreSQL.'],
  petstore_event_loop_lag_seconds: ['histogram', 'How long a request waits before the service sees it.'],
  petstore_background_failures_total: [
    'counter',
    'Background tasks that failed; the log says which and why.',
  ],
  petstore_deprecated_calls_total: ['counter', 'Calls of deprecated operations, by operation.'],
  petstore_sunset_timestamp_seconds: ['gauge', 'When a deprecated operation will be removed, by operation.'],
  petstore_key_expiry_timestamp_seconds: ['gauge', 'When the first of the API keys in use expires.'],
  petstore_certificate_expiry_timestamp_seconds: ['gauge', 'When the TLS certificate expires.'],
  process_cpu_seconds_total: ['counter', 'CPU time used, all threads together.'],
  process_resident_memory_bytes: ['gauge', 'Memory in use.'],
} as const satisfies Record<string, readonly [type: 'counter' | 'gauge' | 'histogram', help: string]>

type MetricName = keyof typeof METRICS
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** What is asked for when Prometheus scrapes: each answers at once, from memory. */
interface MetricSources {
  readonly version: string
  readonly environment: string
  readonly caches: Readonly<Record<string, { readonly hits: number; readonly misses: number }>>
  readonly store: () => {
    readonly engine: string
    readonly waiting: number
    readonly isStalled?: boolean
    readonly logBytes?: number
    readonly lastBackupAt?: Date | undefined
    readonly waitingForConnection?: number
  }
  readonly sunsets: readonly { readonly operation: string; readonly sunset: Date }[]
  readonly keyExpiry: () => Date | undefined
  readonly certificateExpiry: Date | undefined
}

const STATUSES = 600
const RATE_LIMITED = 429
/** In seconds, from an answer out of memory to one that is as good as lost. */
const DURATIONS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
]
/** A batch holds at most 512 animals. */
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
const LAG_EVERY_MS = 50

interface OperationCounts {
  /** By status, all from the start: an array with holes is slow to count in. */
  readonly responses: number[]
  readonly durations: Histogram
  /** Those with a valid key that no rate limit refused. */
  calls: number
}

/** Counts events as they come; the rest is read and all text made at a scrape. */
export class Metrics {
  readonly #operations = new Map<string, OperationCounts>()
  readonly #authFailures = Object.fromEntries(AUTH_FAILURES.map(reason => [reason, 0])) as Record<
    AuthFailure,
    number
  >
  readonly #batchSizes = new Histogram(SIZES)
  readonly #commits = new Histogram(DURATIONS)
  readonly #lag = new Histogram(DURATIONS)
  readonly #lagTimer: Timer
  #backgroundFailures = 0

  constructor() {
    let due = performance.now() + LAG_EVERY_MS
    this.#lagTimer = setInterval(() => {
      const now = performance.now()
      this.#lag.observe(Math.max(0, now - due) / 1000)
      due = now + LAG_EVERY_MS
    }, LAG_EVERY_MS)
    this.#lagTimer.unref()
  }

  readonly add = (event: Event): void => {
    if (event.kind === 'request') this.#countRequest(event)
    else if (event.kind === 'batch-stored') {
      this.#batchSizes.observe(event.size)
      this.#commits.observe(event.commitMs / 1000)
    } else if (event.kind === 'background-task-failed') this.#backgroundFailures++
  }

  close(): void {
    clearInterval(this.#lagTimer)
  }

  /** The page in Prometheus' text format. */
  render(sources: MetricSources): string {
    const { version, environment, caches, sunsets, keyExpiry, certificateExpiry } = sources
    const { engine, waiting, isStalled, logBytes, lastBackupAt, waitingForConnection } = sources.store()
    const { user, system } = process.cpuUsage()
    const operations = [...this.#operations]
    const samples: Record<MetricName, readonly Sample[]> = {
      petstore_info: [[1, { version, environment, engine }]],
      petstore_requests_total: operations.flatMap(([operation, { responses }]) =>
        responses.flatMap((count, status): Sample[] =>
          count === 0 ? [] : [[count, { operation, status: String(status) }]],
        ),
      ),
      petstore_request_duration_seconds: operations.map(([operation, { durations }]) => [
        durations,
        { operation },
      ]),
      petstore_authentication_failures_total: Object.entries(this.#authFailures).map(([reason, count]) => [
        count,
        { reason },
      ]),
      petstore_cache_reads_total: Object.entries(caches).flatMap(
        ([operation, { hits, misses }]): Sample[] => [
          [hits, { operation, result: 'hit' }],
          [misses, { operation, result: 'miss' }],
        ],
      ),
      petstore_store_writes_waiting: [[waiting]],
      petstore_store_stalled: [[isStalled ? 1 : 0]],
      petstore_store_log_bytes: [[logBytes]],
      petstore_store_batch_size: [[this.#batchSizes]],
      petstore_store_commit_duration_seconds: [[this.#commits]],
      petstore_backup_timestamp_seconds: [[seconds(lastBackupAt)]],
      petstore_pool_waiting: [[waitingForConnection]],
      petstore_event_loop_lag_seconds: [[this.#lag]],
      petstore_background_failures_total: [[this.#backgroundFailures]],
      petstore_deprecated_calls_total: sunsets.map(({ operation }) => [
        this.#operations.get(operation)?.calls ?? 0,
        { operation },
      ]),
      petstore_sunset_timestamp_seconds: sunsets.map(({ operation, sunset }) => [
        seconds(sunset),
        { operation },
      ]),
      petstore_key_expiry_timestamp_seconds: [[seconds(keyExpiry())]],
      petstore_certificate_expiry_timestamp_seconds: [[seconds(certificateExpiry)]],
      process_cpu_seconds_total: [[(user + system) / 1e6]],
      process_resident_memory_bytes: [[process.memoryUsage.rss()]],
    }
    return Object.entries(METRICS)
      .map(([name, [type, help]]) => {
        const text = samples[name as MetricName].map(sample => sampleText(name, sample)).join('')
        return text && `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${text}`
      })
      .join('')
  }

  #countRequest({ operation, status, durationMs, keyId, authFailure }: RequestEvent): void {
    let counts = this.#operations.get(operation)
    if (counts === undefined) {
      // Operations and routes are few and our own, so they need no bound.
      const responses = Array.from({ length: STATUSES }, () => 0)
      counts = { responses, durations: new Histogram(DURATIONS), calls: 0 }
      this.#operations.set(operation, counts)
    }
    counts.responses[status] = (counts.responses[status] as number) + 1
    counts.durations.observe(durationMs / 1000)
    if (authFailure !== undefined) this.#authFailures[authFailure]++
    if (keyId !== undefined && status !== RATE_LIMITED) counts.calls++
  }
}

/** Counts of values by size. Plain numbers in an array: an observation is a short search and two additions. */
class Histogram {
  readonly bounds: readonly number[]
  /** One for each bound, and one for what is above them all. */
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let index = 0
    // From below, since most are small.
    while (index < bounds.length && value > (bounds[index] as number)) index++
    counts[index] = (counts[index] as number) + 1
    this.sum += value
  }
}

type Labels = Readonly<Record<string, string>>
/** A value that is undefined does not exist here, as a pool of SQLite. */
type Sample = readonly [value: number | Histogram | undefined, labels?: Labels]

const seconds = (date: Date | undefined): number | undefined => date && date.getTime() / 1000

function sampleText(name: string, [value, labels = {}]: Sample): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return `${name}${labelText(labels)} ${value}\n`
  let total = 0
  const buckets = value.counts.map((count, index) => {
    total += count
    return `${name}_bucket${labelText({ ...labels, le: String(value.bounds[index] ?? '+Inf') })} ${total}\n`
  })
  return `${buckets.join('')}${name}_sum${labelText(labels)} ${value.sum}\n${name}_count${labelText(labels)} ${total}\n`
}

function labelText(labels: Labels): string {
  // No text needs escaping: all of them are our own.
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
