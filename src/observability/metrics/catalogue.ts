export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
  /** How the figures of several processes become one, where they are not added. */
  readonly across?: 'max' | 'min'
}

/** Every metric there is. Labels take few values, all of our own making: no key, no text of a client. */
export const METRICS = {
  petstore_info: {
    type: 'gauge',
    help: 'Always 1; the labels say what is running.',
    labels: ['version', 'environment', 'engine'],
    across: 'max',
  },
  petstore_processes: { type: 'gauge', help: 'Processes that serve.' },
  petstore_process_restarts_total: {
    type: 'counter',
    help: 'Processes that ended without being asked to and were replaced (PETSTORE_PROCESSES).',
  },
  petstore_requests_total: {
    type: 'counter',
    help: 'Completed requests by operation (or route, if there is none) and HTTP status.',
    labels: ['operation', 'status'],
  },
  petstore_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from a request to its response.',
    labels: ['operation'],
  },
  petstore_requests_in_flight: { type: 'gauge', help: 'Requests in progress.' },
  petstore_authentication_failures_total: {
    type: 'counter',
    help: 'Requests refused with 401, by reason.',
    labels: ['reason'],
  },
  petstore_cache_hits_total: { type: 'counter', help: 'Reads served from memory.', labels: ['operation'] },
  petstore_cache_misses_total: {
    type: 'counter',
    help: 'Reads that could not be served from memory.',
    labels: ['operation'],
  },
  petstore_store_writes_waiting: { type: 'gauge', help: 'Animals waiting to be stored.' },
  petstore_store_stalled: {
    type: 'gauge',
    help: '1 while a read or write is overdue: the disk may hang. Such requests are refused meanwhile.',
    across: 'max',
  },
  petstore_store_log_bytes: {
    type: 'gauge',
    help: "Size of SQLite's write-ahead log. It grows during long reads.",
    across: 'max',
  },
  petstore_idempotency_keys_expired: {
    type: 'gauge',
    help: 'Expired idempotency keys that are still stored; counted up to 20,000.',
    across: 'max',
  },
  petstore_housekeeping_done_timestamp_seconds: {
    type: 'gauge',
    help: 'When this instance last found no expired idempotency key.',
    across: 'max',
  },
  petstore_store_batch_size: { type: 'histogram', help: 'Animals made durable by one commit.' },
  petstore_store_batch_duration_seconds: {
    type: 'histogram',
    help: 'Time to store a batch, as seen by its callers.',
  },
  petstore_store_commit_duration_seconds: {
    type: 'histogram',
    help: 'Time of the commit including its wait for the disk (SQLite), or of the statement that ends with it (PostgreSQL).',
  },
  petstore_pool_connections: {
    type: 'gauge',
    help: 'Open connections to PostgreSQL by pool and state.',
    labels: ['pool', 'state'],
  },
  petstore_pool_connections_max: {
    type: 'gauge',
    help: 'Connections to PostgreSQL that may be open at once.',
    labels: ['pool'],
  },
  petstore_pool_waiting: {
    type: 'gauge',
    help: 'Calls waiting for a connection to PostgreSQL.',
    labels: ['pool'],
  },
  petstore_replica_pages_total: {
    type: 'counter',
    help: 'Pages to read where there are replicas: read on one (replica), or on the primary because that one was behind or failed, or is not asked for now (paused).',
    labels: ['outcome'],
  },
  petstore_event_loop_lag_seconds: {
    type: 'histogram',
    help: 'Delay of the event loop: how long a request waits before the service sees it.',
  },
  petstore_background_failures_total: {
    type: 'counter',
    help: 'Background tasks that failed; the log says which and why.',
  },
  petstore_spans_dropped_total: { type: 'counter', help: 'Spans that were not sent to the collector.' },
  petstore_deprecated_calls_total: {
    type: 'counter',
    help: 'Calls of deprecated operations, served by this instance.',
    labels: ['operation'],
  },
  petstore_deprecated_keys: {
    type: 'gauge',
    help: 'API keys that ever called a deprecated operation, on any instance.',
    labels: ['operation'],
    across: 'max',
  },
  petstore_deprecated_key_calls: {
    type: 'gauge',
    help: 'Calls of a deprecated operation by API key id, on all instances; the latest 100 callers.',
    labels: ['operation', 'key_id'],
    across: 'max',
  },
  petstore_deprecated_key_last_call_timestamp_seconds: {
    type: 'gauge',
    help: 'When an API key last called a deprecated operation; the latest 100 callers.',
    labels: ['operation', 'key_id'],
    across: 'max',
  },
  petstore_sunset_timestamp_seconds: {
    type: 'gauge',
    help: 'When a deprecated operation will be removed.',
    labels: ['operation'],
    across: 'max',
  },
  process_cpu_seconds_total: { type: 'counter', help: 'CPU time used, all threads together.' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Memory in use.' },
  process_heap_bytes: { type: 'gauge', help: 'Memory that JavaScript uses.' },
  process_start_time_seconds: { type: 'gauge', help: 'When the process started.', across: 'min' },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS
type NamesOf<Type extends Metric['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never
}[MetricName]
export type HistogramName = NamesOf<'histogram'>
export type ValueName = NamesOf<'counter' | 'gauge'>
/** The labels that a metric must be given, no more and no fewer. */
export type LabelsOf<Name extends MetricName> = (typeof METRICS)[Name] extends {
  readonly labels: readonly (infer Label extends string)[]
}
  ? Readonly<Record<Label, string>>
  : Readonly<Record<never, string>>
