import { expect, test } from 'bun:test'
import { petJson } from '../../support/http.ts'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { PostgresServer, query } from '../../support/postgres.ts'
import { eventually, petstore } from '../../support/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { makeStore } from '../../support/store.ts'
import { LOSSES, startCluster, untilReady } from './cluster.ts'

const ANIMALS_BEFORE = 300
const ANIMALS_AFTER = 100

/** A cluster with a service. */
async function startServed(replication: 'sync' | 'async') {
  const cluster = await startCluster(replication)
  const service = await startProcess({ databaseUrl: cluster.databaseUrl })
  const remove = async () => {
    expect(await service.stop()).toBe(0)
    await cluster.remove()
  }
  return { ...cluster, service, remove }
}

const untilRefused = (service: ServiceProcess) =>
  eventually('not ready', async () => (await service.fetch('/readyz')).status === 503 || undefined)

test.each(LOSSES)(
  'when the primary %s and the address leads to its synchronous standby, no acknowledged animal is lost',
  async (_how, lose) => {
    const { primary, standby, takeOver, database, service, remove } = await startServed('sync')
    const load = new Load(() => service.url)
    const added = (count: number) => {
      const before = load.acknowledged.size
      return eventually('animals are added', () => load.acknowledged.size - before > count || undefined)
    }
    await added(ANIMALS_BEFORE)
    await lose(primary)
    await takeOver()
    await added(ANIMALS_AFTER)
    await load.stop()
    expect(await service.fetch('/readyz')).toHaveStatus(200)
    expect(balance(load, await standby.query('SELECT id, name FROM pets', database))).toEqual(BALANCED)
    await remove()
    expect(service.errors.text).toBe('')
  },
)

test('a former primary that comes back is refused: no animal goes out of sight and no identifier is given twice', async () => {
  const { primary, standby, address, service, remove } = await startServed('async')
  const add = async (name: string) => (await service.post(petJson({ name }))).pet
  await add('before')
  await primary.untilFollowed()
  await primary.crash()
  await standby.promote()
  address.leadTo(standby.port)
  await untilReady([service])
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
  expect(refused.at(-1)?.text).toContain('restart the service to go on with what is there')
  const { reason } = await service.output.entry(({ event }) => event === 'database-refused')
  expect(reason).toContain('PostgreSQL is on timeline 1, and this service has seen 2')
  expect(reason).toContain('restart every instance of the service to go on with what is there')
  address.leadTo(standby.port)
  await untilReady([service])
  expect((await service.fetch('/v1/pets')).pets.map(({ name }) => name)).toEqual(['before', 'after'])
  expect((await add('next')).id).toBeGreaterThan(after.id)
  await remove()
})

test('a server whose animals come from another by logical replication is refused until the subscription is dropped', async () => {
  await using server = await PostgresServer.create({ wal_level: 'logical' })
  const [publisher, databaseUrl] = [await server.freshDatabaseUrl(), await server.freshDatabaseUrl()]
  await makeStore(publisher, ['Rex'])
  const service = await startProcess({ databaseUrl })
  await query(publisher, 'CREATE PUBLICATION animals FOR TABLE pets')
  await query(publisher, "SELECT pg_create_logical_replication_slot('animals', 'pgoutput')")
  const source = `host=127.0.0.1 port=${server.port} user=postgres dbname=${new URL(publisher).pathname.slice(1)}`
  const options = "PUBLICATION animals WITH (create_slot = false, slot_name = 'animals')"
  await query(databaseUrl, `CREATE SUBSCRIPTION animals CONNECTION '${source}' ${options}`)
  await untilRefused(service)
  const sentence = 'A subscription writes to the tables on'
  const { reason } = await service.output.entry(({ event }) => event === 'database-refused')
  expect(reason).toContain(sentence)
  const checked = await petstore(['serve', '--check'], { DATABASE_URL: databaseUrl })
  expect(checked).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  await query(databaseUrl, 'DROP SUBSCRIPTION animals')
  await untilReady([service])
  expect(await service.stop()).toBe(0)
})

test('an address that leads to a standby answers 503, never what the standby still has, and start and doctor name it', async () => {
  const { primary, standby, link, address, database, service, remove } = await startServed('async')
  expect(await service.post(petJson({}))).toHaveStatus(201)
  await primary.untilFollowed()
  link.hang()
  expect(await service.post(petJson({}))).toHaveStatus(201)
  address.leadTo(standby.port)
  const asked = await Promise.all([2, 2, 1, 1].map(id => service.fetch(`/v1/pets/${id}`)))
  const listed = await service.fetch('/v1/pets?status=available')
  expect([...asked, listed].map(({ failure }) => failure)).toEqual(Array(5).fill('503 unavailable'))
  expect(await service.fetch('/readyz')).toHaveStatus(503)
  const sentence = `127.0.0.1:${standby.port} is a standby, which accepts no writes; DATABASE_URL must point to the primary.`
  const DATABASE_URL = standby.url(database)
  expect(await petstore(['serve', '--port=0'], { DATABASE_URL })).toMatchObject({
    code: 5,
    stderr: `petstore: ${sentence}\n`,
  })
  expect((await petstore(['doctor'], { DATABASE_URL })).stdout).toContain(sentence)
  address.leadTo(primary.port)
  await untilReady([service])
  expect(await service.fetch('/v1/pets/2')).toHaveStatus(200)
  await remove()
})
