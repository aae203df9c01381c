import { expect, test } from 'bun:test'
import { cpSync, renameSync, rmSync } from 'node:fs'
import { type PetBody, petJson } from '../../support/http.ts'
import { Load } from '../../support/load.ts'
import { freshPostgresUrl, PostgresServer, query } from '../../support/postgres.ts'
import { ownByPostgres } from '../../support/postgres-programs.ts'
import { eventually } from '../../support/process.ts'
import { type ServiceProcess, startInstances } from '../../support/service.ts'
import { LOSSES, startCluster, untilReady } from './cluster.ts'

const KEPT = 30
const LOST = 30
const BREAKS = 20
const BETWEEN_BREAKS = 50

/** Adds animals through one instance, and reads them and their pages from each, so that it caches the answers. */
async function added(instances: readonly ServiceProcess[], name: string, count: number): Promise<PetBody[]> {
  const [first] = instances as [ServiceProcess]
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) => first.post(petJson({ name: `${name} ${n}` }))),
  )
  const pets = answers.map(({ pet }) => pet)
  // Adds a later animal, so that none of these pages is the last.
  await first.post(petJson({ name: `${name} last` }))
  for (const instance of instances)
    expect(await invented(instance, instance.options.databaseUrl, pets)).toEqual([])
  return pets
}

/** What an instance shows that the database does not contain. */
async function invented(
  instance: ServiceProcess,
  databaseUrl: string,
  pets: readonly PetBody[],
): Promise<string[]> {
  const rows = await query<{ id: string; name: string }>(databaseUrl, 'SELECT id, name FROM pets')
  const stored = new Map(rows.map(({ id, name }) => [id, name]))
  const wrong: string[] = []
  const compare = (id: bigint, name: string): void => {
    if (stored.get(String(id)) !== name) wrong.push(`${id} ${name}`)
  }
  for (const { id } of pets) {
    const one = await instance.fetch(`/v1/pets/${id}`)
    if (one.status === 200) compare(id, one.pet.name)
    const page = await instance.fetch(`/v1/pets?limit=${1 + Number(id % 100n)}`)
    for (const pet of page.pets) compare(pet.id, pet.name)
  }
  return wrong
}

async function expectOnlyWhatIsStored(
  instances: readonly ServiceProcess[],
  databaseUrl: string,
  lost: readonly PetBody[],
): Promise<void> {
  // Adds an animal, which could have reused a lost identifier.
  const fresh = await (instances.at(-1) as ServiceProcess).post(petJson({ name: 'after it' }))
  expect(fresh).toHaveStatus(201)
  expect(lost.map(({ id }) => id)).not.toContain(fresh.pet.id)
  for (const instance of instances) expect(await invented(instance, databaseUrl, lost)).toEqual([])
  const sql = "SELECT count(*) FROM pets WHERE name LIKE 'lost %'"
  const [stored] = await query<{ count: string }>(databaseUrl, sql)
  expect(stored?.count).toBe('0')
}

test.each(LOSSES)(
  'when the primary %s and an asynchronous standby takes over without the last commits, no instance shows what was lost, and no lost identifier is given again',
  async (_how, lose) => {
    const { primary, standby, link, database, databaseUrl, takeOver, remove } = await startCluster('async')
    const instances = await startInstances(2, { databaseUrl })
    const kept = await added(instances, 'kept', KEPT)
    await primary.untilFollowed()
    link.hang()
    // Only one instance has seen what is lost; the other one adds the next animal.
    const lost = await added(instances.slice(0, 1), 'lost', LOST)
    await lose(primary)
    await takeOver()
    await untilReady(instances)
    await expectOnlyWhatIsStored(instances, standby.url(database), [...kept, ...lost])
    expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0])
    await remove()
  },
)

test('when the server goes back to an earlier copy of its files, no instance gives a lost identifier again', async () => {
  await using server = await PostgresServer.create()
  const databaseUrl = await server.freshDatabaseUrl()
  const instances = await startInstances(2, { databaseUrl })
  const kept = await added(instances, 'kept', KEPT)
  await server.stop()
  const backup = `${server.data}.backup`
  cpSync(server.data, backup, { recursive: true, preserveTimestamps: true })
  await server.start()
  await untilReady(instances)
  const lost = await added(instances.slice(0, 1), 'lost', LOST)
  await server.crash()
  rmSync(server.data, { recursive: true })
  renameSync(backup, server.data)
  ownByPostgres(server.data)
  await server.start()
  await untilReady(instances)
  await expectOnlyWhatIsStored(instances, databaseUrl, [...kept, ...lost])
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0])
})

test('connections that break under load do not make identifiers jump, because the server lost nothing', async () => {
  const databaseUrl = await freshPostgresUrl()
  const instances = await startInstances(2, { databaseUrl })
  const loads = instances.map((instance, n) => new Load(() => instance.url, 16, `${n}-`))
  const name = new URL(databaseUrl).pathname.slice(1)
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`
  for (let n = 0; n < BREAKS; n++) {
    const enough = loads.map(load => load.acknowledged.size + BETWEEN_BREAKS)
    const isBusy = () => loads.every((load, i) => load.acknowledged.size >= Number(enough[i])) || undefined
    await eventually('animals are added', isBusy)
    await query(databaseUrl, end)
  }
  await Promise.all(loads.map(load => load.stop()))
  const [stored] = await query<{ highest: string }>(databaseUrl, 'SELECT max(id) AS highest FROM pets')
  expect(Number(stored?.highest)).toBeLessThan(2 ** 20)
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0])
})
