import { expect, test } from 'bun:test'
import { SlowRequest } from '../support/http/slow-request.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { scrape, startMeasured } from '../support/service/metrics.ts'
import { eventually } from '../support/service/process.ts'
import { startService } from '../support/service/service.ts'

test('the metrics are off unless a port is set, and never on the public port', async () => {
  const plain = await startService({ databaseUrl: await freshSqliteUrl() })
  expect((await plain.fetch('/metrics', { key: null })).failure).toBe('404 route_not_found')
  await plain.stop()
  expect(plain.output.log.some(({ event }) => event === 'metrics-listening')).toBe(false)
})

test('the port of the metrics serves nothing else: no API, no other path, no other method', async () => {
  const service = await startMeasured({ databaseUrl: await freshSqliteUrl() })
  expect((await service.fetch('/metrics')).failure).toBe('404 route_not_found')
  expect((await fetch(service.metricsUrl)).headers.get('content-type')).toBe(
    'text/plain; version=0.0.4; charset=utf-8',
  )
  for (const path of ['/', '/v1/pets', '/livez', '/metrics/'])
    expect((await fetch(new URL(path, service.metricsUrl))).status).toBe(404)
  expect((await fetch(service.metricsUrl, { method: 'POST' })).status).toBe(404)
  expect(await service.stop()).toBe(0)
})

test('the metrics are on the address of the service, and on no other', async () => {
  const service = await startMeasured({
    databaseUrl: await freshSqliteUrl(),
    variables: { HOST: '127.0.0.2' },
  })
  const { hostname, port } = new URL(service.metricsUrl)
  expect(hostname).toBe('127.0.0.2')
  expect((await scrape(service.metricsUrl)).get('petstore_requests_in_flight')).toBe(0)
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  await service.stop()
})

test('a request under way is counted as in flight', async () => {
  const service = await startMeasured({ databaseUrl: await freshSqliteUrl() })
  const inFlight = async () => (await scrape(service.metricsUrl)).get('petstore_requests_in_flight')
  const slow = await SlowRequest.begin(service, 'in flight')
  await eventually('the request is in flight', async () => (await inFlight()) === 1 || undefined)
  expect((await slow.finish()).status).toBe(201)
  expect(await inFlight()).toBe(0)
  await service.stop()
})
