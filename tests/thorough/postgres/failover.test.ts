import { expect, test } from 'bun:test'
import { petJson, TcpProxy } from '../../support/http.ts'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { PostgresServer, stoppedPrimary } from '../../support/postgres.ts'
import { eventually, petstore } from '../../support/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'

const ANIMALS_BEFORE = 300
const ANIMALS_AFTER = 100

/** A primary, a standby that follows it over a link, and a service at an address that leads to one of them. */
async function cluster({ synchronous = false, standbySettings = {} } = {}) {
  const { primary, database, link } = await stoppedPrimary()
  const standby = await PostgresServer.standbyOf(primary, 'second', link.port)
  standby.configure(standbySettings)
  if (synchronous) primary.configure({ synchronous_standby_names: 'second' })
  await Promise.all([primary.start(), standby.start()])
  const state = synchronous ? 'sync' : 'async'
  await eventually(`replication is ${state}`, async () => {
    const [row] = await primary.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication')
    return row?.sync_state === state || undefined
  })
  const address = await TcpProxy.to(primary.port)
  const databaseUrl = `postgres://postgres@127.0.0.1:${address.port}/${database}`
  const service = await startProcess({ databaseUrl })
  const remove = async () => {
    expect(await service.stop()).toBe(0)
    address.close()
    link.close()
    await Promise.all([primary.remove(), standby.remove()])
  }
  return { primary, standby, link, address, database, service, remove }
}

const untilReady = (service: ServiceProcess) =>
  eventually('ready', async () => (await service.fetch('/readyz')).status === 200 || undefined)
const untilRefused = (service: ServiceProcess) =>
  eventually('not ready', async () => (await service.fetch('/readyz')).status === 503 || undefined)

/** Loses the primary under load, promotes the standby, and compares its animals with those acknowledged. */
async function failover(synchronous: boolean, lose: (primary: PostgresServer) => unknown) {
  const { primary, standby, link, address, database, service, remove } = await cluster({ synchronous })
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
  address.leadTo(standby.port)
  await added(ANIMALS_AFTER)
  await load.stop()
  const ready = await service.fetch('/readyz')
  const result = balance(load, await standby.query('SELECT id, name FROM pets', database))
  await remove()
  return { result, ready: ready.status, errors: service.errors.text }
}

const losses = [
  ['dies', (primary: PostgresServer) => primary.crash()],
  ['hangs', (primary: PostgresServer) => primary.freeze()],
] as const

test.each(losses)(
  'when the primary %s and the address leads to its synchronous standby, no acknowledged animal is lost',
  async (_how, lose) => {
    expect(await failover(true, lose)).toEqual({ result: BALANCED, ready: 200, errors: '' })
  },
)

test('the same check sees the animals that an asynchronous standby loses', async () => {
  const { result, ready } = await failover(false, primary => primary.crash())
  expect(ready).toBe(200)
  expect(result.lost.length).toBeGreaterThan(0)
})

test('a former primary that comes back is refused: no animal goes out of sight and no identifier is given twice', async () => {
  const { primary, standby, address, service, remove } = await cluster()
  const add = async (name: string) => (await service.post(petJson({ name }))).pet
  await add('before')
  await primary.untilFollowed()
  await primary.crash()
  await standby.promote()
  address.leadTo(standby.port)
  await untilReady(service)
  const after = await add('after')
  await primary.start()
  address.leadTo(primary.port)
  await untilRefused(service)
  const refused = [
    await service.post(petJson({ name: 'lost' })),
    await service.fetch(`/v1/pets/${after.id}`),
    await service.fetch('/v1/pets?status=available'),
    await service.fetch('/readyz'),
  ]
  expect(refused.map(({ failure }) => failure)).toEqual(Array(4).fill('503 unavailable'))
  const { reason } = await service.output.entry(({ event }) => event === 'database-refused')
  expect(reason).toContain('PostgreSQL is on timeline 1, and this service has seen 2')
  address.leadTo(standby.port)
  await untilReady(service)
  expect((await service.fetch('/v1/pets')).pets.map(({ name }) => name)).toEqual(['before', 'after'])
  expect((await add('next')).id).toBeGreaterThan(after.id)
  await remove()
})

test('an address that leads to a standby answers 503, never what the standby still has, and start and doctor name it', async () => {
  const { primary, standby, link, address, database, service, remove } = await cluster()
  expect((await service.post(petJson({}))).status).toBe(201)
  await primary.untilFollowed()
  link.hang()
  expect((await service.post(petJson({}))).status).toBe(201)
  address.leadTo(standby.port)
  const asked = await Promise.all([2, 2, 1, 1].map(id => service.fetch(`/v1/pets/${id}`)))
  const listed = await service.fetch('/v1/pets?status=available')
  expect([...asked, listed].map(({ failure }) => failure)).toEqual(Array(5).fill('503 unavailable'))
  expect((await service.fetch('/readyz')).status).toBe(503)
  const sentence = `127.0.0.1:${standby.port} is a standby, which takes no writes; DATABASE_URL must lead to the primary.`
  const DATABASE_URL = standby.url(database)
  expect(await petstore(['serve', '--port=0'], { DATABASE_URL })).toMatchObject({
    code: 5,
    stderr: `petstore: ${sentence}\n`,
  })
  expect((await petstore(['doctor'], { DATABASE_URL })).stdout).toContain(sentence)
  address.leadTo(primary.port)
  await untilReady(service)
  expect((await service.fetch('/v1/pets/2')).status).toBe(200)
  await remove()
})

test('a standby that is not durable is not used when it takes over, until it is', async () => {
  const { primary, standby, address, service, remove } = await cluster({ standbySettings: { fsync: 'off' } })
  expect((await service.post(petJson({}))).status).toBe(201)
  await primary.untilFollowed()
  await primary.crash()
  await standby.promote()
  address.leadTo(standby.port)
  const { reason } = await service.output.entry(({ event }) => event === 'database-refused')
  expect(reason).toBe("PostgreSQL's fsync is off, so a power cut could lose animals.")
  expect((await service.post(petJson({}))).failure).toBe('503 unavailable')
  standby.configure({ fsync: 'on' })
  await standby.query('SELECT pg_reload_conf()')
  await untilReady(service)
  expect((await service.post(petJson({}))).status).toBe(201)
  await remove()
})
