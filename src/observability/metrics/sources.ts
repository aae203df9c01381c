import type { Exposition } from './exposition.ts'

/** What is asked for when Prometheus scrapes: each answers at once, from memory. */
export interface Sources {
  readonly info: { readonly version: string; readonly environment: string }
  readonly inFlight: () => number
  readonly caches: Readonly<Record<string, { readonly hits: number; readonly misses: number }>>
  readonly store: () => {
    readonly engine: string
    readonly waiting: number
    readonly isStalled?: boolean
    readonly logBytes?: number
    readonly housekeeping: { readonly expiredKeys: number; readonly doneAt: Date | undefined }
    readonly pools?: Readonly<Record<string, Pool>>
    readonly replicaPages?: Readonly<Record<string, number>>
  }
  readonly sunsets: readonly { readonly operation: string; readonly sunset: Date }[]
  /** The latest caller first. */
  readonly deprecatedCalls: () => readonly DeprecatedCaller[]
}

interface Pool {
  readonly open: number
  readonly idle: number
  readonly waiting: number
  readonly max: number
}

interface DeprecatedCaller {
  readonly keyId: string
  readonly operation: string
  readonly calls: number
  readonly lastAt: Date
}

/** The number of keys with their own series. */
export const MAX_KEYS = 100

export function writeSources(page: Exposition, sources: Sources): void {
  const store = sources.store()
  const { engine, waiting, pools } = store
  page.values('petstore_info', [[{ ...sources.info, engine }, 1]])
  page.value('petstore_processes', 1)
  page.value('petstore_requests_in_flight', sources.inFlight())
  const caches = Object.entries(sources.caches)
  page.values(
    'petstore_cache_hits_total',
    caches.map(([operation, { hits }]) => [{ operation }, hits]),
  )
  page.values(
    'petstore_cache_misses_total',
    caches.map(([operation, { misses }]) => [{ operation }, misses]),
  )
  page.value('petstore_store_writes_waiting', waiting)
  page.value('petstore_store_stalled', store.isStalled ? 1 : 0)
  if (store.logBytes !== undefined) page.value('petstore_store_log_bytes', store.logBytes)
  page.value('petstore_idempotency_keys_expired', store.housekeeping.expiredKeys)
  const { doneAt } = store.housekeeping
  if (doneAt !== undefined)
    page.value('petstore_housekeeping_done_timestamp_seconds', doneAt.getTime() / 1000)
  if (pools !== undefined) writePools(page, Object.entries(pools))
  if (store.replicaPages !== undefined)
    page.values(
      'petstore_replica_pages_total',
      Object.entries(store.replicaPages).map(([outcome, count]) => [{ outcome }, count]),
    )
  writeSunsets(page, sources)
}

function writePools(page: Exposition, pools: readonly [pool: string, state: Pool][]): void {
  page.values(
    'petstore_pool_connections',
    pools.flatMap(([pool, { open, idle }]) => [
      [{ pool, state: 'busy' }, open - idle],
      [{ pool, state: 'idle' }, idle],
    ]),
  )
  page.values(
    'petstore_pool_connections_max',
    pools.map(([pool, { max }]) => [{ pool }, max]),
  )
  page.values(
    'petstore_pool_waiting',
    pools.map(([pool, { waiting }]) => [{ pool }, waiting]),
  )
}

function writeSunsets(page: Exposition, { sunsets, deprecatedCalls }: Sources): void {
  const callers = deprecatedCalls()
  page.values(
    'petstore_sunset_timestamp_seconds',
    sunsets.map(({ operation, sunset }) => [{ operation }, sunset.getTime() / 1000]),
  )
  page.values(
    'petstore_deprecated_keys',
    sunsets.map(({ operation }) => [
      { operation },
      callers.filter(call => call.operation === operation).length,
    ]),
  )
  const latest = callers.slice(0, MAX_KEYS)
  page.values(
    'petstore_deprecated_key_calls',
    latest.map(({ operation, keyId, calls }) => [{ operation, key_id: keyId }, calls]),
  )
  page.values(
    'petstore_deprecated_key_last_call_timestamp_seconds',
    latest.map(({ operation, keyId, lastAt }) => [{ operation, key_id: keyId }, lastAt.getTime() / 1000]),
  )
}
