import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventually, freshSqliteUrl } from '../../support/process.ts'
import { Haproxy, needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { Bystander, Flood, KEY, postHead } from './support/clients.ts'

const COUNT = 100
const OTHERS_P99_MS = 2000
/** The timers of the runtime have a resolution of four seconds. */
const SLACK_MS = 8000

const head = ['GET /v1/pets HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'] as const
const keyed = [postHead(KEY, 'Content-Length: 60000'), ' '] as const
const keyless = [postHead('Content-Length: 60000'), ' '] as const
const chunked = [postHead(KEY, 'Transfer-Encoding: chunked'), '1\r\n \r\n'] as const
const tooLarge = [postHead(KEY, 'Content-Length: 1000000'), ' '] as const

let service: ServiceProcess
beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
})
afterAll(() => service.discard())

/** Each of these clients sends a little every second, is closed in time, and others are served meanwhile. */
async function attack(
  url: string,
  [first, drip]: readonly [string, string],
  deadlineMs: number,
): Promise<void> {
  const bystander = new Bystander(url)
  const flood = new Flood(url, COUNT, first, drip)
  const closed = eventually('all are closed', () => flood.isOver || undefined, deadlineMs + SLACK_MS)
  await closed.finally(() => flood.end())
  const { unexpected, p99 } = await bystander.stop()
  expect(unexpected).toEqual([])
  expect(p99).toBeLessThan(OTHERS_P99_MS)
}

describe('the service closes slow clients, and serves the others meanwhile', () => {
  test.concurrent.each([
    ['head', 12_000, head],
    ['body with a key', 10_000, keyed],
    ['body without a key', 10_000, keyless],
    ['chunked body', 10_000, chunked],
  ] as const)('a slow %s ends after %d ms', (_kind, deadlineMs, slow) =>
    attack(service.url, slow, deadlineMs),
  )
})

needs('haproxy').describe('deploy/haproxy.cfg closes them sooner, and what the service lets go on', () => {
  let haproxy: Haproxy
  beforeAll(async () => {
    const port = Number(new URL(service.url).port)
    haproxy = await Haproxy.before([port, port, port])
  })
  afterAll(() => haproxy.stop())

  test.concurrent.each([
    ['head', head],
    ['body with a key', keyed],
    ['body without a key', keyless],
    ['body that is too large', tooLarge],
  ] as const)('a slow %s ends after 5 seconds', (_kind, slow) => attack(haproxy.url, slow, 5000))
})
