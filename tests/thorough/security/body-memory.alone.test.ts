import { afterEach, beforeEach, expect, test } from 'bun:test'
import { petJson, RawConnection } from '../../support/http.ts'
import { eventually, freshSqliteUrl } from '../../support/process.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'
import { residentBytes } from '../faults/support/system.ts'
import { Flood, KEY, MIB, postHead } from './support/clients.ts'

const CONNECTIONS = 2500
const BODY_BYTES = 64 * 1024
/** What a connection and its request need besides the body; the runtime may have read all of it before our code is asked. */
const CONNECTION_BYTES = 40 * 1024
const ALMOST = ' '.repeat(BODY_BYTES - 1)

let service: ServiceProcess
beforeEach(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  // Memory that the first bodies allocate does not count.
  for (let n = 0; n < 50; n++) await service.post(petJson({}).padEnd(BODY_BYTES))
})
afterEach(() => service.discard())

const resident = (): number => residentBytes(service.process.pid) / MIB

const byLength = (...fields: string[]) => postHead(`Content-Length: ${BODY_BYTES}`, ...fields) + ALMOST
const inChunks = (...fields: string[]) =>
  `${postHead('Transfer-Encoding: chunked', ...fields)}ffff\r\n${ALMOST}`
test.each([
  ['without a key', byLength()],
  ['without a key, in chunks', inChunks()],
  ['with a key', byLength(KEY)],
  ['with a key, in chunks', inChunks(KEY)],
])('bodies that are not complete, %s, take no more memory than they are long', async (_what, sent) => {
  const before = resident()
  let highest = before
  const flood = new Flood(service.url, CONNECTIONS, sent)
  await eventually('all bodies are sent and some are given up', () => {
    highest = Math.max(highest, resident())
    return (flood.sent >= CONNECTIONS && flood.answers.length > 0) || undefined
  })
  flood.end()
  expect(highest - before).toBeLessThan((CONNECTIONS * (BODY_BYTES + CONNECTION_BYTES)) / MIB)
  expect((await service.post(petJson({}))).status).toBe(201)
})

test('one key takes the memory of one, however its header is spelled', async () => {
  const connections = Array.from({ length: 32 }, () => new RawConnection(service.url))
  const bearer = (n: number) => 'bearer'.replace(/./g, (c, at) => ((n >> at) & 1 ? c.toUpperCase() : c))
  const ask = (first: number, end: number) =>
    Promise.all(
      connections.map(async (connection, place) => {
        for (let n = first + place; n < end; n += connections.length) {
          // Close to the longest head that the runtime accepts.
          const value = `${bearer(n)}${' '.repeat(15_000 - n)}${API_KEY}`
          connection.send(`HEAD /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${value}\r\n\r\n`)
          expect((await connection.read('HEAD')).status).toBe(200)
        }
      }),
    )
  await ask(0, 500)
  const before = resident()
  await ask(500, 6000)
  expect(resident() - before).toBeLessThan(40)
  for (const connection of connections) connection.end()
})
