import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { petJson } from '../../support/http.ts'
import { eventually } from '../../support/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { residentBytes } from '../faults/support/system.ts'
import { Flood, KEY, livezDuring, postHead, quantile } from './support/clients.ts'

const CONNECTIONS = 2500
const BODY_BYTES = 64 * 1024
/** What a connection and its request need besides the body; the runtime may have read all of it before our code is asked. */
const CONNECTION_BYTES = 40 * 1024
const LARGEST = petJson({}).padEnd(BODY_BYTES)
const ALMOST = ' '.repeat(BODY_BYTES - 1)
const LENGTH = `Content-Length: ${BODY_BYTES}`
const CHUNKED = 'Transfer-Encoding: chunked'
/** A body of this many chunks of one byte each, without its end. */
const tinyChunks = (count: number): string => '1\r\n \r\n'.repeat(count)

let service: ServiceProcess
const floods: Flood[] = []
beforeEach(async () => {
  service = await startProcess()
  // Memory that the first bodies allocate does not count.
  for (let n = 0; n < 50; n++) await service.post(LARGEST)
})
afterEach(() => {
  for (const flood of floods.splice(0)) flood.end()
  service.discard()
})

/** Resolves when all have sent, or were closed; `look` is called meanwhile. */
async function flood(count: number, sent: string, look = () => {}): Promise<Flood> {
  const all = new Flood(service.url, count, sent)
  floods.push(all)
  await eventually('all have sent', () => {
    look()
    return all.isOver || all.sent >= count || undefined
  })
  return all
}

test.each([
  ['without a key', postHead(LENGTH) + ALMOST],
  ['without a key, in chunks', `${postHead(CHUNKED)}ffff\r\n${ALMOST}`],
  ['with a key', postHead(LENGTH, KEY) + ALMOST],
  ['with a key, in chunks', `${postHead(CHUNKED, KEY)}ffff\r\n${ALMOST}`],
  ['with a key, in chunks of one byte', postHead(CHUNKED, KEY) + tinyChunks(1900)],
])('bodies that are not complete, %s, take no more memory than they are long', async (_what, sent) => {
  const before = residentBytes(service.process.pid)
  let highest = before
  const look = (): void => {
    highest = Math.max(highest, residentBytes(service.process.pid))
  }
  const all = await flood(CONNECTIONS, sent, look)
  await eventually('some are given up', () => {
    look()
    return all.answers.length > 0 || undefined
  })
  all.end()
  expect(highest - before).toBeLessThan(CONNECTIONS * (BODY_BYTES + CONNECTION_BYTES))
  expect(await service.post(petJson({}))).toHaveStatus(201)
})

test.each([
  ['without a key', postHead(CHUNKED)],
  ['with a key', postHead(CHUNKED, KEY)],
])('bodies in chunks of one byte, %s, hold up nobody', async (_who, head) => {
  const work = flood(4, head + tinyChunks(480_000)).then(() => Bun.sleep(1000))
  expect(Math.max(...(await livezDuring(service.url, work)))).toBeLessThan(500)
})

test('heads whose bodies do not come keep nobody from adding an animal', async () => {
  await flood(1030, postHead(KEY, LENGTH))
  await flood(30, postHead(KEY, CHUNKED))
  for (let n = 0; n < 200; n++) expect(await service.post(LARGEST)).toHaveStatus(201)
})

const PIPELINER = join(import.meta.dir, 'support/pipeliner.ts')
const get = (target: string, ...fields: string[]): string =>
  `${[`GET ${target} HTTP/1.1`, 'Host: x', ...fields].join('\r\n')}\r\n\r\n`

/** Requests that are answered without waiting for anything. */
const kinds: [string, string][] = [
  ['GET without a key', get('/v1/pets')],
  ['POST without a key', get('/v1/pets', 'Content-Length: 2').replace('GET', 'POST').concat('{}')],
  ['/livez', get('/livez')],
  ['a list', get('/v1/pets', KEY)],
  ['a list that has not changed', get('/v1/pets', KEY, 'If-None-Match: *')],
  ['a page', get('/docs', 'Accept-Encoding: gzip')],
  ['a query of many parameters', get(`/v1/pets?${'limit=1&'.repeat(1900)}`, KEY)],
]
const cases = kinds.flatMap(([kind, request]) => [1, 64].map(count => [kind, count, request] as const))

test.each(cases)('%s, pipelined on %d connections, holds up nobody', async (_kind, count, request) => {
  const attacker = Bun.spawn([process.execPath, PIPELINER, service.url, request, String(count)])
  await Bun.sleep(300)
  const times = await livezDuring(service.url, Bun.sleep(1200))
  attacker.kill('SIGKILL')
  // Without a bound on what one turn of the event loop answers, a median is seconds.
  expect(quantile(times, 0.99)).toBeLessThan(500)
})
