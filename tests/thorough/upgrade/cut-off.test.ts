import { expect, test } from 'bun:test'
import pg from 'pg'
import { petJson } from '../../support/http/exact.ts'
import { TcpProxy } from '../../support/http/tcp-proxy.ts'
import { freshPostgresUrl } from '../../support/postgres/engine.ts'
import { query } from '../../support/postgres/server.ts'
import { eventually } from '../../support/service/process.ts'
import { ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { fillWithSchemaFour } from '../../upgrade/schema-four.ts'

/** The server ends a session that is silent in the middle of a step after 10 seconds. */
const PUT_OUT_WITHIN_MS = 30_000

const sessions = async (databaseUrl: string, condition: string): Promise<boolean> => {
  const rows = await query(
    databaseUrl,
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'petstore' AND ${condition}`,
  )
  return rows.length > 0
}

test('an instance that is cut off in the middle of a migration does not stop the next one for longer than half a minute', async () => {
  const databaseUrl = await freshPostgresUrl()
  await fillWithSchemaFour(databaseUrl, [{ keyId: 'k', key: 'old', petId: 1, ageMs: 0 }])
  const url = new URL(databaseUrl)
  const link = await TcpProxy.to(Number(url.port))
  url.port = String(link.port)
  const holder = new pg.Client({ connectionString: databaseUrl })
  await holder.connect()
  const cutOff = new ServiceProcess({ databaseUrl: url.href })
  await holder.query('BEGIN; LOCK TABLE idempotency IN SHARE MODE')
  // Its statement succeeds, but its commit does not. If an attempt ends just then, the service makes another.
  await eventually('the first is cut off in its transaction', async () => {
    await eventually(
      'it waits',
      async () => (await sessions(databaseUrl, "wait_event_type = 'Lock'")) || undefined,
    )
    link.hang()
    await holder.query('COMMIT')
    if (await sessions(databaseUrl, "state IN ('idle in transaction', 'active')")) return true
    await holder.query('BEGIN; LOCK TABLE idempotency IN SHARE MODE')
    link.resume()
    return undefined
  })
  const since = performance.now()
  const service = await startProcess({ databaseUrl })
  expect(performance.now() - since).toBeLessThan(PUT_OUT_WITHIN_MS)
  expect((await service.post(petJson({}))).status).toBe(201)
  await cutOff.kill()
  link.close()
  await holder.end()
  expect(await service.stop()).toBe(0)
})
