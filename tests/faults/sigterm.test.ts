import { expect, test } from 'bun:test'
import { freshSqliteUrl } from '../support/folder.ts'
import { eventually } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { figure, measured, TIMEOUT_MS } from './support/form.ts'
import { KeptConnections } from './support/kept-connections.ts'
import { seeded } from './support/seed.ts'
import { rows } from './support/stored.ts'

const TIMES = figure(2, 50)
const CONNECTIONS = 1000
const WITHIN_MS = 10_000

test(
  `SIGTERM under ${CONNECTIONS} connections in use, ${TIMES} times: every accepted request is answered, no connection is reset, and the process ends with 0 within 10 seconds`,
  async () => {
    const random = seeded('pauses')
    let answered = 0
    let slowest = 0
    for (let time = 0; time < TIMES; time++) {
      const service = await startService({ databaseUrl: await freshSqliteUrl() })
      // Some clients come back sooner than the service waits for them, some later.
      const clients = new KeptConnections(() => 100 + random(1000))
      await clients.connect(service.url, CONNECTIONS)
      await eventually('all are in use', () => clients.answered > CONNECTIONS || undefined)
      const since = performance.now()
      service.signal('SIGTERM')
      expect(await service.exited()).toBe(0)
      slowest = Math.max(slowest, performance.now() - since)
      await eventually('all connections are closed', () => clients.open === 0 || undefined)
      expect({
        unanswered: clients.unanswered,
        resets: clients.resets,
        unexpected: clients.unexpected,
      }).toEqual({
        unanswered: [],
        resets: [],
        unexpected: [],
      })
      expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped', unanswered: 0 })
      const [stored] = await rows<{ count: number }>(
        service.options.databaseUrl,
        'SELECT count(*) AS count FROM pets',
      )
      expect(Number(stored?.count)).toBe(clients.added)
      answered += clients.answered
    }
    expect(slowest).toBeLessThan(WITHIN_MS)
    measured(
      'SIGTERM under 1,000 connections',
      `${TIMES} times: ${answered} requests answered, 0 unanswered, 0 resets; exit 0 within ${(slowest / 1000).toFixed(1)} s`,
    )
  },
  TIMEOUT_MS,
)
