import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { rename, rm, symlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { METRICS } from '../../src/observability/metrics.ts'
import { petJson, rawRequest } from '../support/http.ts'
import { MEASURED, scrape } from '../support/metrics.ts'
import { atOnce, pathOf } from '../support/process.ts'
import { API_KEY, engines, type Service, startService } from '../support/service.ts'
import { addKey } from '../support/store.ts'

const SECRET_NAME = 'Rex-whose-name-is-in-no-metric'
/** Those that an engine does not have, or only a certificate. */
const NOT_ON: Readonly<Record<string, RegExp>> = {
  sqlite: /^petstore_(?:pool_|certificate_)/,
  postgres: /^petstore_(?:backup_|store_log_bytes|store_free_bytes|store_stalled|certificate_)/,
}

describe.each(engines.map(engine => [engine.name, engine] as const))('the metrics on %s', (name, engine) => {
  let service: Service
  let seen: Awaited<ReturnType<typeof scrape>>
  let key: string
  let addingSeconds: number

  beforeAll(async () => {
    const databaseUrl = await engine.freshDatabaseUrl()
    key = await addKey(databaseUrl, 'shop front', new Date(Date.now() + 30 * 86_400_000))
    const revoked = await addKey(databaseUrl, 'old', undefined, new Date())
    service = await startService({ databaseUrl, variables: MEASURED })
    const body = petJson({ name: SECRET_NAME })
    const began = performance.now()
    await atOnce(4, () => service.post(body))
    // The second response is a replay, which stores nothing.
    for (let n = 0; n < 2; n++) await service.post(body, { 'Idempotency-Key': 'once' })
    await service.post('{')
    addingSeconds = (performance.now() - began) / 1000
    for (let n = 0; n < 3; n++) await service.fetch('/v1/pets/1', { key })
    await service.fetch('/v1/pets/1', { method: 'HEAD', key })
    for (let n = 0; n < 2; n++) await service.fetch('/v1/pets?limit=2')
    await service.fetch('/v1/pets', { key: null })
    await service.fetch('/v1/pets/1', { key: revoked })
    await service.fetch('/v1/pets', { key: 'nonsense-nonsense-nonsense' })
    await service.fetch(`/${SECRET_NAME}`, { key: null })
    await service.fetch('/v1/pets', { method: 'DELETE' })
    seen = await scrape(service)
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })

  const expectFigures = (metric: string, figures: Readonly<Record<string, number>>): void => {
    for (const [labels, value] of Object.entries(figures))
      expect([labels, seen.get(`${metric}{${labels}}`)]).toEqual([labels, value])
  }

  test('count requests by operation and status; HEAD counts as the operation that it is', () =>
    expectFigures('petstore_requests_total', {
      'operation="createPet",status="201"': 6,
      'operation="createPet",status="400"': 1,
      'operation="getPet",status="200"': 4,
      'operation="getPet",status="401"': 1,
      'operation="listPets",status="200"': 2,
      'operation="listPets",status="401"': 2,
      'operation="unknown",status="404"': 1,
      'operation="/v1/pets",status="405"': 1,
    }))

  test('hold the duration of every request in a histogram', () => {
    const series = 'petstore_request_duration_seconds'
    expect(seen.get(`${series}_count{operation="createPet"}`)).toBe(7)
    // None took longer than all of them.
    expect(seen.get(`${series}_sum{operation="createPet"}`)).toBeWithin(1e-6, 7 * addingSeconds)
  })

  test('count refused keys by reason, and reads by whether they were answered from memory', () => {
    expectFigures('petstore_authentication_failures_total', {
      'reason="missing"': 1,
      'reason="malformed"': 1,
      'reason="revoked"': 1,
      'reason="unknown"': 0,
    })
    expectFigures('petstore_cache_reads_total', {
      'operation="getPet",result="miss"': 1,
      'operation="listPets",result="miss"': 1,
      'operation="getPet",result="hit"': 3,
      'operation="listPets",result="hit"': 1,
    })
  })

  test('count every animal that was stored and the commits that stored them', () => {
    expect(seen.get('petstore_store_batch_size_sum')).toBe(5)
    const commits = seen.get('petstore_store_batch_size_count') as number
    expect(commits).toBeGreaterThan(0)
    expect(seen.get('petstore_store_commit_duration_seconds_count')).toBe(commits)
    expect(seen.get('petstore_store_writes_waiting')).toBe(0)
  })

  test('count deprecated calls of those who were let in, and tell when operation and key expire', () => {
    expectFigures('petstore_deprecated_calls_total', { 'operation="getPet"': 4 })
    expectFigures('petstore_sunset_timestamp_seconds', {
      'operation="getPet"': Date.UTC(2030, 11, 5) / 1000,
    })
    const expiry = seen.get('petstore_key_expiry_timestamp_seconds') ?? 0
    expect(expiry * 1000 - Date.now()).toBeWithin(29 * 86_400_000, 30 * 86_400_000)
  })

  test('tell the processor time in seconds, and that a scrape failed', async () => {
    const { user, system } = process.cpuUsage()
    expect(seen.get('process_cpu_seconds_total')).toBeWithin(0.01, (user + system) / 1e6)
    using _fault = spyOn(process, 'cpuUsage').mockImplementationOnce(() => {
      throw new Error('out of order')
    })
    await scrape(service)
    expect((await scrape(service)).get('petstore_background_failures_total')).toBe(1)
  })

  test('show the pool of a server, and of a file the last backup, the log and whether the disk responds', () => {
    const [pool, backup] = name === 'postgres' ? [0, undefined] : [undefined, 0]
    expect(seen.get('petstore_pool_waiting')).toBe(pool)
    expect(seen.get('petstore_backup_timestamp_seconds')).toBe(backup)
    expect(seen.get('petstore_store_stalled')).toBe(backup)
    const log = Bun.file(`${pathOf(service.options.databaseUrl)}-wal`)
    if (name === 'sqlite') expect(seen.get('petstore_store_log_bytes')).toBeWithin(1, log.size + 1)
  })

  test('are those of the table, no more and no fewer, and hold no key and no text of a client', () => {
    for (const secret of [SECRET_NAME, API_KEY, key, 'shop front']) expect(seen.text).not.toContain(secret)
    const served = [...seen.text.matchAll(/^# TYPE (\w+)/gm)].map(([, metric]) => metric as string)
    expect(served).toEqual(Object.keys(METRICS).filter(metric => !NOT_ON[name]?.test(metric)))
    const info = `^petstore_info\\{version="\\d[^"]*",environment="production",engine="${name}"\\} 1$`
    expect(seen.text).toMatch(new RegExp(info, 'm'))
  })
})

test('petstore_ready is what /readyz says, and a folder that leads nowhere fails no scrape and ends no thread', async () => {
  using service = await startService({ variables: { ...MEASURED, PETSTORE_THREADS: '2' } })
  const folder = dirname(pathOf(service.options.databaseUrl))
  const expectReady = async (ready: number, status: number): Promise<void> => {
    expect((await service.fetch('/readyz')).status).toBe(status)
    expect((await scrape(service)).get('petstore_ready')).toBe(ready)
  }
  await expectReady(1, 200)
  await rename(folder, `${folder}-away`)
  await symlink(folder, folder)
  for (let n = 0; n < 3; n++) await expectReady(0, 503)
  await rm(folder)
  await rename(`${folder}-away`, folder)
  await expectReady(1, 200)
  expect(service.output.log.filter(({ event }) => event === 'thread-ended')).toEqual([])
})

test('the metrics are off unless a port is set, and that port serves nothing else, on the address of the service only', async () => {
  const plain = await startService()
  await plain.stop()
  expect(plain.output.text).not.toContain('metrics-listening')
  const variables = { HOST: '127.0.0.2', ...MEASURED }
  const service = await startService({ variables })
  const { url } = await scrape(service)
  const { hostname, port } = new URL(url)
  expect(hostname).toBe('127.0.0.2')
  expect((await service.fetch('/metrics')).failure).toBe('404 route_not_found')
  for (const path of ['/', '/v1/pets', '/livez']) expect((await fetch(new URL(path, url))).status).toBe(404)
  expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  expect((await fetch(url)).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  // The runtime could answer a chunked body twice, so the connection ends.
  const chunked = 'Transfer-Encoding: chunked'
  for (const [method, ...framing] of [['GET'], ['GET', chunked], ['POST', chunked]]) {
    const lines = [`${method} /metrics HTTP/1.1`, 'Host: x', ...framing]
    const { headers } = await rawRequest(url, lines, framing.length > 0 ? '0\r\nX-T: y\r\n\r\n' : '')
    expect(headers.get('connection')).toBe('close')
  }
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  await service.stop()
})
