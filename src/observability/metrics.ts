/** All metrics. Their labels have few values, which the service defines: never an API key or text from a client. */
export const METRICS = {
  petstore_info: ['gauge', 'Always 1; the labels version, environment and engine say what is running.'],
  petstore_ready: ['gauge', '1 while /readyz returns 200 within a second, otherwise 0.'],
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

export type MetricName = keyof typeof METRICS
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A histogram has several series. */
type HistogramPart = `${MetricName}_${'bucket' | 'sum' | 'count'}`

/** Figures by series: a metric's name and its labels, as on the page. Plain data, so threads can send it. Undefined ones are left out. */
export type Figures = Readonly<Record<string, number | undefined>>

export const seconds = (date: Date | undefined): number | undefined => date && date.getTime() / 1000

/** Label values need no escaping, because the service defines all of them. */
export function series(name: MetricName | HistogramPart, labels: Record<string, string | number>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`
}

/** A figure for each value of a label. */
export const figuresBy = (
  name: MetricName,
  label: string,
  values: Iterable<readonly [string, number | undefined]>,
): Figures =>
  Object.fromEntries(Array.from(values, ([value, figure]) => [series(name, { [label]: value }), figure]))

const metricOf = (series: string): string => series.replace(/(?:_bucket|_sum|_count)?(?:\{.*)?$/, '')

const add = (one: number, other: number): number => one + other

/** How figures of several threads become one, if not by adding them. */
const COMBINE: Readonly<Record<string, typeof add>> = {
  petstore_store_stalled: Math.max,
  petstore_key_expiry_timestamp_seconds: Math.min,
} satisfies { [name in MetricName]?: typeof add }

/** The figures of several threads as those of one service. */
export function combined(all: readonly Figures[]): Figures {
  const sums: Record<string, number> = {}
  for (const figures of all)
    for (const [series, value] of Object.entries(figures)) {
      if (value === undefined) continue
      const sum = sums[series]
      sums[series] = sum === undefined ? value : (COMBINE[series] ?? add)(sum, value)
    }
  return sums
}

/** The figures that outlive their thread, because counters must not go back. */
export const withoutGauges = (figures: Figures): Figures =>
  Object.fromEntries(
    Object.entries(figures).filter(([series]) => METRICS[metricOf(series) as MetricName][0] !== 'gauge'),
  )

/** The page in Prometheus' text format. */
export function renderMetrics(figures: Figures): string {
  const groups = Map.groupBy(Object.entries(figures), ([series]) => metricOf(series))
  return Object.entries(METRICS)
    .map(([name, [type, help]]) => {
      const lines = groups.get(name)?.map(([series, value]) => `${series} ${value}\n`)
      return lines === undefined ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}
