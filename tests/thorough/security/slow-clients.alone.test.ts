import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Haproxy } from '../../support/programs/haproxy.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { figure, isFull, measured } from '../faults/support/form.ts'
import { Bystander } from './support/bystander.ts'
import { Drippers, type Kind } from './support/drippers.ts'

const COUNT = figure(100, 2000)
/** The guarantee is 200 ms. The short form shares its machine with other tests, which would distort the figure. */
const P99_MS = figure(2000, 200)
/** The timers of the runtime have a resolution of four seconds. */
const SLACK_MS = figure(8000, 5000)

/** The full form runs one kind after another: together they would exceed the connection limit of the proxy. */
const slow = isFull ? test : test.concurrent

let service: ServiceProcess
beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
})
afterAll(() => service.stop())

/** Runs all clients of one kind at once: each is closed in time, and other clients are served meanwhile. */
async function attack(url: string, where: string, kind: Kind, deadlineMs: number): Promise<void> {
  const bystander = new Bystander(url)
  const drippers = new Drippers(url, kind, COUNT)
  try {
    await eventually(
      `${kind}: all are closed`,
      () => (drippers.open === 0 ? true : undefined),
      deadlineMs + SLACK_MS,
    )
  } finally {
    drippers.end()
    await bystander.stop()
  }
  measured(
    `${COUNT} clients with a slow ${kind}, ${where}`,
    `all closed within ${(drippers.slowestMs / 1000).toFixed(1)} s; others: ${bystander.times.length} requests, p99 ${bystander.p99} ms`,
  )
  expect(bystander.unexpected).toEqual([])
  expect(bystander.p99).toBeLessThan(P99_MS)
}

describe('the service itself closes slow clients, and serves the others meanwhile', () => {
  const kinds: [Kind, number][] = [
    ['head', 12_000],
    ['body with a key', 10_000],
    ['body without a key', 10_000],
    ['chunked body', 10_000],
  ]
  slow.each(kinds)('a slow %s ends after %d ms', (kind, deadlineMs) =>
    attack(service.url, 'without a proxy', kind, deadlineMs),
  )
})

needs('haproxy').describe(
  'deploy/haproxy.cfg closes them sooner, also those that the service lets go on',
  () => {
    let haproxy: Haproxy
    beforeAll(async () => {
      const port = Number(new URL(service.url).port)
      haproxy = await Haproxy.before([port, port, port])
    })
    afterAll(() => haproxy.stop())

    const kinds: [Kind][] = [
      ['head'],
      ['body with a key'],
      ['body without a key'],
      ['body that is too large'],
    ]
    slow.each(kinds)('a slow %s ends after 5 seconds', kind =>
      attack(haproxy.url, 'behind HAProxy', kind, 5000),
    )
  },
)
