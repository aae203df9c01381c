import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { petJson } from '../../support/http.ts'
import { eventually, freshSqliteUrl } from '../../support/process.ts'
import { Haproxy, needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { Bystander, KEY } from './support/clients.ts'

const COUNT = 100
const REQUEST = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n\r\n`

let service: ServiceProcess
beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  // A page of the longest names is 105 KB.
  for (let n = 0; n < 100; n++) await service.post(petJson({ name: '😀'.repeat(255) }))
})
afterAll(() => service.discard())

/** Clients that ask for pages, more than the kernel takes for them, and read nothing, while others must be served. */
async function ignoring(url: string, pages: number, meanwhile: () => Promise<unknown>): Promise<void> {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: COUNT }, () => connect(Number(port), hostname).pause())
  for (const socket of sockets) socket.on('error', () => {}).write(REQUEST.repeat(pages))
  const bystander = new Bystander(url)
  await meanwhile()
  const { unexpected, p99 } = await bystander.stop()
  for (const socket of sockets) socket.destroy()
  expect(unexpected).toEqual([])
  expect(p99).toBeLessThan(2000)
}

test('who does not read its responses keeps others from nothing', () =>
  ignoring(service.url, 80, () => Bun.sleep(3000)))

needs('haproxy').test('deploy/haproxy.cfg takes such a response off the service at once', async () => {
  const port = Number(new URL(service.url).port)
  const haproxy = await Haproxy.before([port, port, port])
  await ignoring(haproxy.url, 3, async () => {
    await eventually('all are connected', async () => (await haproxy.load()).clients >= COUNT || undefined)
    // Its side of the kernel holds what the clients do not take; with a smaller `tune.sndbuf.client` all requests stay here.
    await Bun.sleep(3000)
    expect((await haproxy.load()).requests).toBeLessThan(50)
  }).finally(() => haproxy.stop())
})
