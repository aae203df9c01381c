import { expect, test } from 'bun:test'
import { petJson } from '../../support/http.ts'
import { PostgresServer, query } from '../../support/postgres.ts'
import { eventually, petstore } from '../../support/process.ts'
import { type ServiceProcess, startInstances, startProcess } from '../../support/service.ts'
import { makeStore } from '../../support/store.ts'
import { startCluster } from './cluster.ts'

/** A cluster with a service, whose commits do not wait for the standby. */
async function startServed() {
  const cluster = await startCluster('async')
  const service = await startProcess({ databaseUrl: cluster.databaseUrl })
  const remove = async () => {
    expect(await service.stop()).toBe(0)
    await cluster.remove()
  }
  return { ...cluster, service, remove }
}

const untilReady = (service: ServiceProcess, status = 200) =>
  eventually(
    `/readyz is ${status}`,
    async () => (await service.fetch('/readyz')).status === status || undefined,
  )

const untilRefused = async (service: ServiceProcess): Promise<string> => {
  await untilReady(service, 503)
  return String((await service.output.entry(({ event }) => event === 'database-refused')).reason)
}

test.each<[how: string, lose: (primary: PostgresServer) => unknown]>([
  ['dies', primary => primary.crash()],
  ['hangs', primary => primary.freeze()],
])('when the primary %s, what its standby lacks is neither shown nor numbered anew', async (_how, lose) => {
  const { primary, link, databaseUrl, takeOver, remove } = await startCluster('async')
  const instances = await startInstances(2, { databaseUrl })
  const [first, second] = instances as [ServiceProcess, ServiceProcess]
  const add = async (by: ServiceProcess, name: string) => (await by.post(petJson({ name }))).pet
  const listed = async (by: ServiceProcess) =>
    (await by.fetch('/v1/pets?limit=2')).pets.map(({ name }) => name)
  await add(first, 'kept')
  await primary.untilFollowed()
  link.hang()
  const lost = await add(first, 'lost')
  await add(first, 'lost too, so that no page below is the last one')
  // From here on it answers both from memory, but the other one, which adds the next animal, has seen neither.
  expect(await first.fetch(`/v1/pets/${lost.id}`)).toHaveStatus(200)
  expect(await listed(first)).toEqual(['kept', 'lost'])
  await lose(primary)
  await takeOver()
  for (const instance of instances) await untilReady(instance)
  expect((await add(second, 'after')).id).toBeGreaterThan(2n ** 20n)
  for (const instance of instances) {
    expect(await instance.fetch(`/v1/pets/${lost.id}`)).toHaveStatus(404)
    expect(await listed(instance)).toEqual(['kept', 'after'])
    expect([await instance.stop(), instance.errors.text]).toEqual([0, ''])
  }
  await remove()
})

test('a former primary that comes back is refused: no animal goes out of sight and no identifier is given twice', async () => {
  const { primary, standby, address, service, takeOver, remove } = await startServed()
  const add = async (name: string) => (await service.post(petJson({ name }))).pet
  await add('before')
  await primary.untilFollowed()
  await primary.crash()
  await takeOver()
  await untilReady(service)
  const after = await add('after')
  await primary.start()
  address.leadTo(primary.port)
  const reason = await untilRefused(service)
  const refused = [
    await service.post(petJson({ name: 'lost' })),
    await service.fetch(`/v1/pets/${after.id}`),
    await service.fetch('/v1/pets?status=available'),
    await service.fetch('/readyz'),
  ]
  expect(refused.map(({ failure }) => failure)).toEqual(Array(4).fill('503 unavailable'))
  expect(refused.at(-1)?.text).toContain('restart the service to go on with what is there')
  expect(reason).toContain('PostgreSQL is on timeline 1, and this service has seen 2')
  expect(reason).toContain('restart every instance of the service to go on with what is there')
  address.leadTo(standby.port)
  await untilReady(service)
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
  const sentence = 'A subscription writes to the tables on'
  expect(await untilRefused(service)).toContain(sentence)
  const checked = await petstore(['serve', '--check'], { DATABASE_URL: databaseUrl })
  expect(checked).toMatchObject({ code: 6, stderr: expect.stringContaining(sentence) })
  await query(databaseUrl, 'DROP SUBSCRIPTION animals')
  await untilReady(service)
  expect(await service.stop()).toBe(0)
})

test('an address that leads to a standby answers 503, never what the standby still has, and start and doctor name it', async () => {
  const { primary, standby, link, address, database, service, remove } = await startServed()
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
  await untilReady(service)
  expect(await service.fetch('/v1/pets/2')).toHaveStatus(200)
  await remove()
})
