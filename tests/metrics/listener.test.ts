import { expect, test } from 'bun:test'
import { freshSqliteUrl } from '../support/process.ts'
import { startMeasured, startService } from '../support/service.ts'

test('the metrics are off unless a port is set, and never on the public port', async () => {
  const plain = await startService({ databaseUrl: await freshSqliteUrl() })
  expect((await plain.fetch('/metrics', { key: null })).failure).toBe('404 route_not_found')
  await plain.stop()
  expect(plain.output.log.some(({ event }) => event === 'metrics-listening')).toBe(false)
})

test('the port of the metrics is on the address of the service only and serves nothing else', async () => {
  const variables = { HOST: '127.0.0.2' }
  const service = await startMeasured({ databaseUrl: await freshSqliteUrl(), variables })
  const { metricsUrl } = service
  expect((await service.fetch('/metrics')).failure).toBe('404 route_not_found')
  const type = (await fetch(metricsUrl)).headers.get('content-type')
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8')
  for (const path of ['/', '/v1/pets', '/livez', '/metrics/'])
    expect((await fetch(new URL(path, metricsUrl))).status).toBe(404)
  expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(404)
  const { hostname, port } = new URL(metricsUrl)
  expect(hostname).toBe('127.0.0.2')
  await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  await service.stop()
})
