import { type Counts, DURATIONS, type Histogram, SIZES } from './counts.ts'

/** All metrics. Their labels have few values, which the service defines: never an API key or text from a client. */
export const METRICS = {
  petstore_info: ['gauge', 'Always 1; the labels version, environment and engine say what is running.'],
  petstore_requests_total: ['counter', 'Completed requests, by operation (or route) and status.'],
  petstore_request_duration_seconds: ['histogram', 'Time from a request to its response, by operation.'],
  petstore_authentication_failures_total: ['counter', 'Requests rejected with 401, by reason.'],
  petstore_cache_reads_total: ['counter', 'Reads by operation and result: hit (from memory) or miss.'],
  petstore_store_writes_waiting: ['gauge', 'Animals waiting to be stored.'],
  petstore_store_stalled: ['gauge', '1 while a write is overdue: the disk may hang.'],
  petstore_store_log_bytes: ['gauge', "Size of SQLite's write-ahead log. It grows during long reads."],
  petstore_store_free_bytes: ['gauge', 'Free space on the disk of the SQLite database.'],
  petstore_store_batch_size: ['histogram', 'Animals stored by one commit.'],
  petstore_store_commit_duration_seconds: [
    'histogram',
    'Duration of a commit, including its wait for the disk.',
  ],
  petstore_backup_timestamp_seconds: ['gauge', 'When SQLite was last backed up; 0 if it never was.'],
  petstore_pool_waiting: ['gauge', 'Calls waiting for a connection to PostgreSQL.'],
  petstore_event_loop_lag_seconds: ['histogram', 'How long a request waits before the service sees it.'],
  petstore_background_failures_total: [
    'counter',
    'Background tasks that failed; the log says which and why.',
  ],
  petstore_deprecated_calls_total: ['counter', 'Calls of deprecated operations, by operation.'],
  petstore_sunset_timestamp_seconds: [
    'gauge',
    'When a deprecated operation is scheduled for removal, by operation.',
  ],
  petstore_key_expiry_timestamp_seconds: ['gauge', 'When the next of the API keys in use expires.'],
  petstore_certificate_expiry_timestamp_seconds: ['gauge', 'When the TLS certificate expires.'],
  process_cpu_seconds_total: ['counter', 'CPU time used by all threads together.'],
  process_resident_memory_bytes: ['gauge', 'Memory in use.'],
} as const satisfies Record<string, readonly [type: 'counter' | 'gauge' | 'histogram', help: string]>

type MetricName = keyof typeof METRICS
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** What waits in a thread: writes, whether one of them is overdue, and calls for a connection on an engine that has a pool. */
export interface Waits {
  readonly writes: number
  readonly stalled: number
  readonly connections: number | undefined
}

/** Contents of a metrics page: counts of all threads, and the service's state. */
interface MetricSources {
  readonly counts: Counts
  readonly waits: Waits
  readonly version: string
  readonly environment: string
  readonly store: {
    readonly engine: string
    readonly logBytes?: number
    readonly freeBytes?: number | undefined
    readonly lastBackupAt?: Date | null | undefined
  }
  readonly sunsets: readonly { readonly operation: string; readonly sunset: Date }[]
  readonly keyExpiry: Date | undefined
  readonly certificateExpiry: Date | undefined
}

/** The page in Prometheus' text format. */
export function renderMetrics(sources: MetricSources): string {
  const { counts, waits, version, environment, sunsets, keyExpiry, certificateExpiry } = sources
  const { engine, logBytes, freeBytes, lastBackupAt } = sources.store
  const { user, system } = process.cpuUsage()
  const operations = Object.entries(counts.operations)
  const samples: Record<MetricName, readonly Sample[]> = {
    petstore_info: [[1, { version, environment, engine }]],
    petstore_requests_total: operations.flatMap(([operation, { responses }]) =>
      responses.flatMap((count, status): Sample[] =>
        count === 0 ? [] : [[count, { operation, status: String(status) }]],
      ),
    ),
    petstore_request_duration_seconds: operations.map(([operation, { durations }]) => [
      { ...durations, bounds: DURATIONS },
      { operation },
    ]),
    petstore_authentication_failures_total: Object.entries(counts.authFailures).map(([reason, count]) => [
      count,
      { reason },
    ]),
    petstore_cache_reads_total: Object.entries(counts.caches).flatMap(
      ([operation, { hits, misses }]): Sample[] => [
        [hits, { operation, result: 'hit' }],
        [misses, { operation, result: 'miss' }],
      ],
    ),
    petstore_store_writes_waiting: [[waits.writes]],
    petstore_store_stalled: [[waits.stalled > 0 ? 1 : 0]],
    petstore_store_log_bytes: [[logBytes]],
    petstore_store_free_bytes: [[freeBytes]],
    petstore_store_batch_size: [[{ ...counts.batchSizes, bounds: SIZES }]],
    petstore_store_commit_duration_seconds: [[{ ...counts.commits, bounds: DURATIONS }]],
    petstore_backup_timestamp_seconds: [[lastBackupAt === null ? 0 : seconds(lastBackupAt)]],
    petstore_pool_waiting: [[waits.connections]],
    petstore_event_loop_lag_seconds: [[{ ...counts.lag, bounds: DURATIONS }]],
    petstore_background_failures_total: [[counts.backgroundFailures]],
    petstore_deprecated_calls_total: sunsets.map(({ operation }) => [
      counts.operations[operation]?.calls ?? 0,
      { operation },
    ]),
    petstore_sunset_timestamp_seconds: sunsets.map(({ operation, sunset }) => [
      seconds(sunset),
      { operation },
    ]),
    petstore_key_expiry_timestamp_seconds: [[seconds(keyExpiry)]],
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

type Labels = Readonly<Record<string, string>>
/** An undefined value is left out, such as pool figures with SQLite. */
type Sample = readonly [value: number | BoundedHistogram | undefined, labels?: Labels]
type BoundedHistogram = Histogram & { readonly bounds: readonly number[] }

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
  // Label values need no escaping, because the service defines all of them.
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
