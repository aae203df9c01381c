import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { RawConnection, SlowRequest } from '../../support/http.ts'
import { MEASURED, scrape } from '../../support/metrics.ts'
import { atOnce, eventually } from '../../support/process.ts'
import { startProcess } from '../../support/service.ts'
import {
  ALONE,
  endingThreads,
  eventsOf,
  listenersOf,
  startThreads,
  statusesOf,
  THREADS,
  untilReady,
} from './support/threads.ts'

const REQUESTS = 20
/** So many that each thread has one. */
const HELD = 12
const DESCRIPTORS = 256

test(`${THREADS} threads on one port are announced once, add up their metrics and their rate limit, drain together, complete the requests in progress, and write whole lines into one log`, async () => {
  const PETSTORE_RATE_LIMIT = `${REQUESTS + HELD}/3600s`
  using service = await startThreads({ ...MEASURED, PETSTORE_RATE_LIMIT })
  expect(eventsOf(service, 'listening')).toMatchObject([{ threads: THREADS }])
  expect(listenersOf(service)).toBe(THREADS)
  for (let n = 0; n < REQUESTS; n++) await service.fetch('/v1/pets', { headers: ALONE })
  const page = await scrape(service)
  expect(eventsOf(service, 'metrics-listening')).toHaveLength(1)
  expect(page.get('petstore_requests_total{operation="listPets",status="200"}')).toBe(REQUESTS)
  const held = await atOnce(HELD, n => SlowRequest.begin(service, `held ${n}`))
  expect(await service.fetch('/v1/pets', { headers: ALONE })).toHaveStatus(429)
  service.signal('SIGTERM')
  await eventually('no thread is ready', async () => {
    const statuses = await statusesOf(service, '/readyz')
    return statuses.every(status => status === 503) || undefined
  })
  const answers = await Promise.all(held.map(request => request.finish()))
  expect(answers.map(({ status }) => status)).toEqual(Array(HELD).fill(201))
  expect(await service.exited()).toBe(0)
  expect(eventsOf(service, 'draining')).toHaveLength(1)
  expect(eventsOf(service, 'stopped')).toMatchObject([{ unfinished: 0 }])
  for (const line of service.output.lines) expect(() => JSON.parse(line)).not.toThrow()
  const added = eventsOf(service, 'request').filter(({ status }) => status === 201)
  expect(added).toHaveLength(HELD)
  expect(service.errors.text).toBe('')
})

test('threads that have no file descriptor left keep their connections, also when they are scraped', async () => {
  const variables = { ...MEASURED, PETSTORE_THREADS: String(THREADS) }
  using service = await startProcess({ variables, within: ['prlimit', `--nofile=${DESCRIPTORS}`] })
  const connect = (count: number) => Array.from({ length: count }, () => new RawConnection(service.url))
  using scraper = new RawConnection((await scrape(service)).url)
  const held = connect(HELD)
  const expectServed = async (): Promise<void> => {
    for (const connection of held) connection.request(['GET /readyz HTTP/1.1', 'Host: x'])
    for (const connection of held) expect(await connection.read()).toHaveStatus(200)
  }
  await expectServed()
  const idle = connect(DESCRIPTORS)
  const used = () => readdirSync(`/proc/${service.process.pid}/fd`).length
  await eventually('no descriptor is left', () => used() >= DESCRIPTORS || undefined)
  scraper.request(['GET /metrics HTTP/1.1', 'Host: x'])
  await scraper.read()
  await expectServed()
  expect(eventsOf(service, 'thread-ended')).toEqual([])
  for (const connection of [...held, ...idle]) connection.end()
})

test('a listener in an endless loop is ended and replaced, and one in such a loop does not keep the service from stopping', async () => {
  const service = await startThreads(endingThreads({ how: 'loop' }))
  service.signal('SIGUSR2')
  const { reason } = await service.output.entry(({ event }) => event === 'thread-ended')
  expect(reason).toBe('it did not respond for 10 seconds')
  await untilReady(service)
  service.signal('SIGUSR2')
  expect(await service.stop()).toBe(0)
  expect(eventsOf(service, 'stopped')).toHaveLength(1)
})
