import { afterEach, beforeEach, expect, test } from 'bun:test'
import { petJson } from '../../support/http.ts'
import { eventually, freshSqliteUrl } from '../../support/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { residentBytes } from '../faults/support/system.ts'
import { Flood, KEY, livezDuring, MIB, postHead } from './support/clients.ts'

const CHUNKED = 'Transfer-Encoding: chunked'

/** A body of this many chunks of one byte each, without its end. */
const chunks = (count: number): string => '1\r\n \r\n'.repeat(count)

let service: ServiceProcess
const floods: Flood[] = []
beforeEach(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  for (let n = 0; n < 50; n++) await service.post(petJson({}).padEnd(60_000))
})
afterEach(() => {
  for (const flood of floods.splice(0)) flood.end()
  service.discard()
})

/** Resolves when all have sent, or were closed. */
function flood(count: number, sent: string): Promise<true> {
  const all = new Flood(service.url, count, sent)
  floods.push(all)
  return eventually('all have sent', () => all.isOver || all.sent >= count || undefined)
}

test.each([
  ['without a key', postHead(CHUNKED)],
  ['with a key', postHead(CHUNKED, KEY)],
])('bodies in chunks of one byte, %s, hold up nobody', async (_who, head) => {
  const work = flood(4, head + chunks(480_000)).then(() => Bun.sleep(1000))
  expect(Math.max(...(await livezDuring(service.url, work)))).toBeLessThan(500)
})

test('bodies in chunks of one byte take no more memory than their bytes', async () => {
  const before = residentBytes(service.process.pid)
  await flood(700, postHead(CHUNKED, KEY) + chunks(1900))
  await Bun.sleep(2000)
  expect((residentBytes(service.process.pid) - before) / MIB).toBeLessThan(100)
  expect((await service.post(petJson({}))).status).toBe(201)
})

test('heads whose bodies do not come keep nobody from adding an animal', async () => {
  await flood(1030, postHead(KEY, 'Content-Length: 65536'))
  await flood(30, postHead(KEY, CHUNKED))
  for (let n = 0; n < 200; n++) expect((await service.post(petJson({}).padEnd(60_000))).status).toBe(201)
})
