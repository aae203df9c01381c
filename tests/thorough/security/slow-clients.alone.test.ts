import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { petJson } from '../../support/http.ts'
import { eventually } from '../../support/process.ts'
import { Haproxy, needs } from '../../support/programs.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'
import { Flood, KEY, postHead, quantile, timesDuring } from './support/clients.ts'

const COUNT = 100
const OTHERS_P99_MS = 2000
/** The timers of the runtime have a resolution of four seconds. */
const SLACK_MS = 8000

const head = ['GET /v1/pets HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'] as const
const keyed = [postHead(KEY, 'Content-Length: 60000'), ' '] as const
const keyless = [postHead('Content-Length: 60000'), ' '] as const
const chunked = [postHead(KEY, 'Transfer-Encoding: chunked'), '1\r\n \r\n'] as const
const tooLarge = [postHead(KEY, 'Content-Length: 1000000'), ' '] as const
const idle = ['GET /livez HTTP/1.1\r\nHost: x\r\n\r\n', ''] as const
const LIST = `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n\r\n`

let service: ServiceProcess
beforeAll(async () => {
  service = await startProcess()
  // A page of the longest names is 105 KB.
  for (let n = 0; n < 100; n++) await service.post(petJson({ name: '😀'.repeat(255) }))
})
afterAll(() => service.discard())

/** Reads and adds animals at a steady rate meanwhile. */
async function othersAreServed(url: string, attack: () => Promise<unknown>): Promise<void> {
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
  const statuses = new Set<number>()
  const times = await timesDuring(attack(), async () => {
    for (const init of [{ headers }, { headers, method: 'POST', body: petJson({}) }]) {
      const response = await fetch(`${url}/v1/pets`, init)
      await response.text()
      statuses.add(response.status)
      await Bun.sleep(10)
    }
  })
  expect(statuses).toEqual(new Set([200, 201]))
  expect(quantile(times, 0.99)).toBeLessThan(OTHERS_P99_MS)
}

/** Clients that each send a little every second are closed in time. */
async function drip(url: string, [first, more]: readonly [string, string], deadlineMs: number) {
  const flood = new Flood(url, COUNT, first, more)
  const closed = eventually('all are closed', () => flood.isOver || undefined, deadlineMs + SLACK_MS)
  await othersAreServed(url, () => closed.finally(() => flood.end()))
  return [...flood.statuses]
}

/** Clients that ask for pages, more than the kernel takes for them, and read nothing. */
const ignore = (url: string, pages: number, meanwhile: () => Promise<unknown>): Promise<void> =>
  othersAreServed(url, async () => {
    const { hostname, port } = new URL(url)
    const sockets = Array.from({ length: COUNT }, () => connect(Number(port), hostname).pause())
    for (const socket of sockets) socket.on('error', () => {}).write(LIST.repeat(pages))
    await meanwhile()
    for (const socket of sockets) socket.destroy()
  })

describe('the service closes slow clients, and serves the others meanwhile', () => {
  test.concurrent.each([
    ['head', 12_000, head],
    ['body with a key', 10_000, keyed],
    ['body without a key', 10_000, keyless],
    ['chunked body', 10_000, chunked],
    ['and idle connection', 30_000, idle],
  ] as const)('a slow %s ends after %d ms', async (_kind, deadlineMs, slow) => {
    await drip(service.url, slow, deadlineMs)
  })
})

test('who does not read its responses keeps others from nothing', () =>
  ignore(service.url, 80, () => Bun.sleep(3000)))

needs('haproxy').describe('deploy/haproxy.cfg', () => {
  let haproxy: Haproxy
  beforeAll(async () => {
    const port = Number(new URL(service.url).port)
    haproxy = await Haproxy.before([port, port, port])
  })
  afterAll(() => haproxy.stop())

  test.concurrent.each([
    ['head', head],
    ['body', keyed],
    ['body that is too large', tooLarge],
  ] as const)('ends a slow %s after 5 seconds, with a 408 of its own', async (_kind, slow) =>
    expect(await drip(haproxy.url, slow, 5000)).toEqual([408]),
  )

  test('takes a response that nobody reads off the service at once', () =>
    ignore(haproxy.url, 3, async () => {
      await eventually('all are connected', async () => (await haproxy.load()).clients >= COUNT || undefined)
      // Its side of the kernel holds what the clients do not take; with a smaller `tune.sndbuf.client` all requests stay here.
      await Bun.sleep(3000)
      expect((await haproxy.load()).requests).toBeLessThan(50)
    }))
})
