import { expect, test } from 'bun:test'
import { freePort } from '../support/http/free-port.ts'
import { petstore } from '../support/service/cli.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { scrape, startMeasuredProcess } from '../support/service/metrics.ts'
import { eventually } from '../support/service/process.ts'
import { startProcess } from '../support/service/service-process.ts'

test('the metrics are off unless a port is set, and never on the public port', async () => {
  const plain = await startProcess({ databaseUrl: await freshSqliteUrl() })
  expect((await plain.fetch('/metrics', { key: null })).failure).toBe('404 route_not_found')
  expect(plain.output.log.some(({ event }) => event === 'metrics-listening')).toBe(false)
  await plain.stop()

  const measured = await startMeasuredProcess({ databaseUrl: await freshSqliteUrl() })
  expect((await measured.fetch('/metrics')).failure).toBe('404 route_not_found')
  expect((await fetch(measured.metricsUrl)).headers.get('content-type')).toBe(
    'text/plain; version=0.0.4; charset=utf-8',
  )
  expect(await measured.stop()).toBe(0)
})

test('the port of the metrics serves nothing else: no API, no other path, no other method', async () => {
  const service = await startMeasuredProcess({ databaseUrl: await freshSqliteUrl() })
  for (const path of ['/', '/v1/pets', '/livez', '/metrics/'])
    expect((await fetch(new URL(path, service.metricsUrl))).status).toBe(404)
  expect((await fetch(service.metricsUrl, { method: 'POST' })).status).toBe(404)
  await service.stop()
})

test('only this machine reaches the metrics unless another address is set', async () => {
  const service = await startMeasuredProcess({ databaseUrl: await freshSqliteUrl() })
  expect(new URL(service.metricsUrl).hostname).toBe('127.0.0.1')
  // Another address of this machine, on which a listener on all addresses would answer.
  const { port } = new URL(service.metricsUrl)
  await expect(fetch(`http://127.0.0.2:${port}/metrics`)).rejects.toThrow()
  await service.stop()

  const open = await startMeasuredProcess({
    databaseUrl: await freshSqliteUrl(),
    variables: { PETSTORE_METRICS_HOST: '127.0.0.2' },
  })
  expect(new URL(open.metricsUrl).hostname).toBe('127.0.0.2')
  expect((await scrape(open.metricsUrl)).get('petstore_requests_in_flight')).toBe(0)
  await open.stop()
})

test('a port of the metrics that is in use stops the start with a sentence that names the setting', async () => {
  const taken = await freePort()
  const other = Bun.listen({ hostname: '127.0.0.1', port: taken, socket: { data() {} } })
  const { code, stderr } = await petstore(['serve'], {
    PORT: '0',
    DATABASE_URL: await freshSqliteUrl(),
    PETSTORE_METRICS_PORT: String(taken),
  })
  other.stop(true)
  expect(code).toBe(1)
  expect(stderr).toBe(
    `petstore: Port ${taken} on 127.0.0.1 is in use. Set PETSTORE_METRICS_PORT to another one.\n`,
  )
})

test('a request under way is counted as in flight', async () => {
  const service = await startMeasuredProcess({ databaseUrl: await freshSqliteUrl() })
  let finish = (): void => {}
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue('{"name":"Rex",')
      finish = () => {
        controller.enqueue('"categoryId":7}')
        controller.close()
      }
    },
  })
  const answer = service.fetch('/v1/pets', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  })
  await eventually('the request is in flight', async () =>
    (await scrape(service.metricsUrl)).get('petstore_requests_in_flight') === 1 ? true : undefined,
  )
  finish()
  expect((await answer).status).toBe(201)
  expect((await scrape(service.metricsUrl)).get('petstore_requests_in_flight')).toBe(0)
  await service.stop()
})
