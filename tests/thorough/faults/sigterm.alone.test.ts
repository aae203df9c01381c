import { expect, test } from 'bun:test'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { figure, measured } from './support/form.ts'
import { KeptConnections } from './support/kept-connections.ts'
import { Lag } from './support/lag.ts'
import { seeded } from './support/seed.ts'
import { rows } from './support/stored.ts'

const TIMES = figure(2, 50)
const CONNECTIONS = 1000
const WITHIN_MS = 10_000
/** A client that is silent for this long plus half a second counts as gone. */
const SILENT_MS = 200
/** The short form runs beside other tests, which may delay its clients. */
const MOST_HELD_UP = figure(5, 0)

/** One round: the service gets SIGTERM while its clients are active. */
async function stopUnderLoad(random: (below: number) => number) {
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  // Some clients return sooner than the service waits for them, some later.
  const clients = new KeptConnections(() => 100 + random(1000))
  await clients.connect(service.url, CONNECTIONS)
  await eventually('all are in use', () => clients.answered > CONNECTIONS || undefined)
  const lag = new Lag()
  const since = performance.now()
  service.signal('SIGTERM')
  const code = await service.exited()
  const tookMs = performance.now() - since
  await eventually('all connections are closed', () => clients.open === 0 || undefined)
  const accepted = service.output.log.filter(({ event }) => event === 'request').length
  const [stored] = await rows<{ count: number }>(
    service.options.databaseUrl,
    'SELECT count(*) AS count FROM pets',
  )
  expect({ code, accepted, stored: Number(stored?.count) }).toEqual({
    code: 0,
    accepted: clients.answered,
    stored: clients.added,
  })
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped', unanswered: 0 })
  return { clients, tookMs, heldUpMs: lag.stop() }
}

test(`SIGTERM under ${CONNECTIONS} connections in use, ${TIMES} times: every accepted request is answered, no connection is reset, and the process ends with 0 within 10 seconds`, async () => {
  const random = seeded('pauses')
  let answered = 0
  let slowest = 0
  let heldUp = 0
  for (let time = 0; time < TIMES; time++) {
    const { clients, tookMs, heldUpMs } = await stopUnderLoad(random)
    slowest = Math.max(slowest, tookMs)
    answered += clients.answered
    // Clients delayed for longer than the service waits find their connections closed, so that round proves nothing.
    if (clients.resets.length > 0 && heldUpMs > SILENT_MS && heldUp++ < MOST_HELD_UP) time--
    else expect([clients.unanswered, clients.resets, clients.unexpected]).toEqual([[], [], []])
  }
  expect(slowest).toBeLessThan(WITHIN_MS)
  measured(
    'SIGTERM under 1,000 connections',
    `${TIMES} times: ${answered} requests answered, 0 unanswered, 0 resets; exit 0 within ${(slowest / 1000).toFixed(1)} s; ${heldUp} rounds repeated because the clients were held up`,
  )
})
