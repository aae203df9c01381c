import { expect, test } from 'bun:test'
import { BALANCED, balance, Load } from '../../support/load/load.ts'
import { PostgresServer } from '../../support/postgres/server.ts'
import { stoppedPrimary } from '../../support/postgres/stopped-primary.ts'
import { eventually } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'

const ANIMALS_BEFORE = 300
const ANIMALS_AFTER = 100

/** A primary, a standby that follows it over a link, and a service that knows both. */
async function cluster(synchronous: boolean) {
  const { primary, database, link } = await stoppedPrimary()
  const standby = await PostgresServer.standbyOf(primary, 'second', link.port)
  if (synchronous) primary.configure({ synchronous_standby_names: 'second' })
  await Promise.all([primary.start(), standby.start()])
  const state = synchronous ? 'sync' : 'async'
  await eventually(`replication is ${state}`, async () => {
    const [row] = await primary.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication')
    return row?.sync_state === state || undefined
  })
  const hosts = [standby, primary].map(({ port }) => `127.0.0.1:${port}`)
  const databaseUrl = `postgres://postgres@${hosts}/${database}?target_session_attrs=read-write`
  return { primary, standby, link, database, service: await startProcess({ databaseUrl }) }
}

/** Loses the primary under load, promotes the standby, and compares its animals with those acknowledged. */
async function failover(synchronous: boolean, lose: (primary: PostgresServer) => unknown) {
  const { primary, standby, link, database, service } = await cluster(synchronous)
  const load = new Load(() => service.url)
  const added = (count: number) => {
    const before = load.acknowledged.size
    return eventually('animals are added', () => load.acknowledged.size - before > count || undefined)
  }
  await added(ANIMALS_BEFORE)
  // An asynchronous primary continues without the standby.
  if (!synchronous) link.hang()
  if (!synchronous) await added(ANIMALS_BEFORE)
  await lose(primary)
  link.close()
  await standby.promote()
  await added(ANIMALS_AFTER)
  await load.stop()
  const ready = await service.fetch('/readyz')
  const result = balance(load, await standby.query('SELECT id, name FROM pets', database))
  const code = await service.stop()
  await Promise.all([primary.remove(), standby.remove()])
  return { result, ready: ready.status, code, errors: service.errors.text }
}

const losses = [
  ['dies', (primary: PostgresServer) => primary.crash()],
  ['hangs', (primary: PostgresServer) => primary.freeze()],
] as const

test.each(losses)(
  'when the primary %s, the service finds the synchronous standby that takes over by itself and no acknowledged animal is lost',
  async (_how, lose) => {
    expect(await failover(true, lose)).toEqual({ result: BALANCED, ready: 200, code: 0, errors: '' })
  },
)

test('the same check sees the animals that an asynchronous standby loses', async () => {
  const { result, ready } = await failover(false, primary => primary.crash())
  expect(ready).toBe(200)
  expect(result.lost.length).toBeGreaterThan(0)
})
