import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { METRICS, type Metric } from '../../src/observability/metrics/catalogue.ts'
import { petJson } from '../support/http/exact.ts'
import { needs } from '../support/programs/needs.ts'
import { promtool } from '../support/programs/prometheus.ts'
import { createKey, petstore } from '../support/service/cli.ts'
import { engines } from '../support/service/engines.ts'
import { type Scrape, scrape, startMeasured } from '../support/service/metrics.ts'
import { API_KEY } from '../support/service/service.ts'

const SECRET_NAME = 'Rex-whose-name-is-in-no-metric'

describe.each(engines.map(engine => [engine.name, engine] as const))('the metrics on %s', (name, engine) => {
  let service: Awaited<ReturnType<typeof startMeasured>>
  let seen: Scrape
  let key: string

  beforeAll(async () => {
    const databaseUrl = await engine.freshDatabaseUrl()
    key = await createKey(databaseUrl, 'shop front')
    const revoked = await createKey(databaseUrl, 'old')
    await petstore(['keys', 'revoke', 'old', '--yes'], { DATABASE_URL: databaseUrl })
    service = await startMeasured({ databaseUrl })
    const body = petJson({ name: SECRET_NAME })
    await Promise.all(Array.from({ length: 5 }, () => service.post(body)))
    await service.post('{')
    for (let n = 0; n < 3; n++) await service.fetch('/v1/pets/1', { key })
    await service.fetch('/v1/pets/1', { method: 'HEAD', key })
    await service.fetch('/v1/pets?limit=2')
    await service.fetch('/v1/pets?limit=2')
    await service.fetch('/v1/pets', { key: null })
    await service.fetch('/v1/pets/1', { key: revoked })
    await service.fetch('/v1/pets', { key: 'nonsense-nonsense-nonsense' })
    await service.fetch(`/${SECRET_NAME}`, { key: null })
    await service.fetch('/v1/pets', { method: 'DELETE' })
    seen = await scrape(service.metricsUrl)
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })

  test('count requests by operation and status; HEAD counts as the operation that it is', () => {
    const counted: Record<string, number> = {
      'operation="createPet",status="201"': 5,
      'operation="createPet",status="400"': 1,
      'operation="getPet",status="200"': 4,
      'operation="getPet",status="401"': 1,
      'operation="listPets",status="200"': 2,
      'operation="listPets",status="401"': 2,
      'operation="unknown",status="404"': 1,
      'operation="/v1/pets",status="405"': 1,
    }
    for (const [labels, count] of Object.entries(counted))
      expect([labels, seen.get(`petstore_requests_total{${labels}}`)]).toEqual([labels, count])
  })

  test('hold the duration of every request in a histogram', () => {
    const series = 'petstore_request_duration_seconds'
    expect(seen.get(`${series}_count{operation="createPet"}`)).toBe(6)
    expect(seen.get(`${series}_bucket{operation="createPet",le="+Inf"}`)).toBe(6)
    expect(seen.get(`${series}_sum{operation="createPet"}`)).toBeGreaterThan(0)
    const buckets = seen.names.filter(series => series.includes('_bucket{operation="createPet"'))
    const counts = buckets.map(bucket => seen.get(bucket) ?? -1)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  })

  test('count refused keys by reason', () => {
    const counted = { missing: 1, malformed: 1, revoked: 1, unknown: 0, expired: 0, other_environment: 0 }
    for (const [reason, count] of Object.entries(counted))
      expect([reason, seen.get(`petstore_authentication_failures_total{reason="${reason}"}`)]).toEqual([
        reason,
        count,
      ])
  })

  test('tell answers from memory from those that were read', () => {
    expect(seen.get('petstore_cache_misses_total{operation="getPet"}')).toBe(1)
    expect(seen.get('petstore_cache_hits_total{operation="getPet"}')).toBe(3)
    expect(seen.get('petstore_cache_misses_total{operation="listPets"}')).toBe(1)
    expect(seen.get('petstore_cache_hits_total{operation="listPets"}')).toBe(1)
  })

  test('count every animal that was stored, its batches and their commits', () => {
    expect(seen.get('petstore_store_batch_size_sum')).toBe(5)
    const batches = seen.get('petstore_store_batch_size_count')
    expect(batches).toBeGreaterThan(0)
    expect(seen.get('petstore_store_commit_duration_seconds_count')).toBe(batches as number)
    const commit = seen.get('petstore_store_commit_duration_seconds_sum') as number
    expect(commit).toBeGreaterThan(0)
    expect(commit).toBeLessThanOrEqual(seen.get('petstore_store_batch_duration_seconds_sum') as number)
    expect(seen.get('petstore_store_writes_waiting')).toBe(0)
  })

  test('show the pool where there is one', () => {
    for (const [pool, max] of Object.entries({ reading: 10, writing: 2 })) {
      const isThere = name === 'postgres'
      expect(seen.get(`petstore_pool_connections_max{pool="${pool}"}`)).toBe(isThere ? max : undefined)
      expect(seen.get(`petstore_pool_waiting{pool="${pool}"}`)).toBe(isThere ? 0 : undefined)
      const busy = seen.get(`petstore_pool_connections{pool="${pool}",state="busy"}`) ?? 0
      const idle = seen.get(`petstore_pool_connections{pool="${pool}",state="idle"}`) ?? 0
      expect(busy + idle).toBeWithin(isThere ? 1 : 0, max + 1)
    }
  })

  test('count deprecated calls of those who were let in, and tell when the operation goes', () => {
    expect(seen.get('petstore_deprecated_calls_total{operation="getPet"}')).toBe(4)
    expect(seen.get('petstore_sunset_timestamp_seconds{operation="getPet"}')).toBe(
      Date.UTC(2030, 11, 5) / 1000,
    )
  })

  test('tell of the process: lag, memory, processor time', () => {
    expect(seen.get('petstore_event_loop_lag_seconds_count')).toBeGreaterThan(0)
    expect(seen.get('process_resident_memory_bytes')).toBeGreaterThan(10e6)
    expect(seen.get('process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(seen.get('petstore_requests_in_flight')).toBe(0)
    const started = seen.get('process_start_time_seconds') as number
    expect(Math.abs(Date.now() / 1000 - started)).toBeLessThan(120)
  })

  test('hold no key and no text of a client', () => {
    expect(seen.text).not.toContain(SECRET_NAME)
    expect(seen.text).not.toContain(API_KEY)
    expect(seen.text).not.toContain(key)
    expect(seen.text).not.toContain('shop front')
  })

  test('are all in the catalogue, with its labels and no others', () => {
    for (const series of seen.names) {
      const [, found = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? []
      const metric = found.replace(/_(bucket|sum|count)$/, '')
      const known: Metric = METRICS[(found in METRICS ? found : metric) as keyof typeof METRICS]
      const used = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label).filter(label => label !== 'le')
      expect([series, used]).toEqual([series, [...(known.labels ?? [])]])
    }
  })

  needs('promtool').test('are clean by promtool', () => {
    const { code, text } = promtool(['check', 'metrics'], { input: seen.text })
    expect(text).toBe('')
    expect(code).toBe(0)
  })
})
