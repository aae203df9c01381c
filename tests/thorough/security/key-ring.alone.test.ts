import { afterAll, beforeAll, expect, test } from 'bun:test'
import { RawConnection } from '../../support/http/raw-http.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { API_KEY } from '../../support/service/service.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { figure, measured } from '../faults/support/form.ts'
import { residentBytes } from '../faults/support/proc.ts'

const SPELLINGS = figure(6000, 12_000)
/** Close to the longest head that the runtime accepts. */
const LONGEST = 15_000
const CONNECTIONS = 32
const MIB = 2 ** 20

let service: ServiceProcess
beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
})
afterAll(() => service.stop())

const bearer = (n: number): string =>
  [...'bearer'].map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)).join('')

const headWith = (n: number): string =>
  `HEAD /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer(n)}${' '.repeat(LONGEST - n)}${API_KEY}\r\n\r\n`

test('one key takes the memory of one, however its header is spelled', async () => {
  const connections = Array.from({ length: CONNECTIONS }, () => new RawConnection(service.url))
  const ask = (first: number, end: number): Promise<unknown> =>
    Promise.all(
      connections.map(async (connection, place) => {
        for (let n = first + place; n < end; n += CONNECTIONS) {
          connection.send(headWith(n))
          expect((await connection.read('HEAD')).status).toBe(404)
        }
      }),
    )
  // The first requests allocate what the runtime keeps for itself.
  await ask(0, 500)
  const before = residentBytes(service.process.pid) / MIB
  await ask(500, SPELLINGS)
  const grown = residentBytes(service.process.pid) / MIB - before
  for (const connection of connections) connection.end()
  measured(`memory for ${SPELLINGS} spellings of one key`, `${grown.toFixed(0)} MiB more`)
  expect(grown).toBeLessThan(40)
})
