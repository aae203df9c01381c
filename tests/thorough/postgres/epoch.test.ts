import { expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import { ownByPostgres } from '../../../scripts/postgres.ts'
import type { PetBody } from '../../support/http.ts'
import { petJson, TcpProxy } from '../../support/http.ts'
import { PostgresServer, query, stoppedPrimary } from '../../support/postgres.ts'
import { eventually } from '../../support/process.ts'
import type { ServiceProcess } from '../../support/service.ts'
import { startInstances } from '../../support/service.ts'

const KEPT = 30
const LOST = 30
const NOTICED_WITHIN_MS = 5000

/** Adds animals through one instance, and reads them and every page from each instance, so that it caches the answers. */
async function added(instances: readonly ServiceProcess[], name: string, count: number): Promise<PetBody[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      (instances[0] as ServiceProcess).post(petJson({ name: `${name} ${n}` })),
    ),
  )
  const pets = answers.map(({ pet }) => pet)
  // Adds a later animal, so that none of these pages is the last.
  await (instances[0] as ServiceProcess).post(petJson({ name: `${name} last` }))
  for (const instance of instances) expect(await shown(instance, pets)).toEqual(pets.map(({ name }) => name))
  return pets
}

/** The names that an instance shows for these identifiers. Also requests pages, to cache them. */
async function shown(instance: ServiceProcess, pets: readonly PetBody[]): Promise<(string | undefined)[]> {
  const names: (string | undefined)[] = []
  for (const { id } of pets) {
    const answer = await instance.fetch(`/v1/pets/${id}`)
    names.push(answer.status === 200 ? answer.pet.name : undefined)
    await instance.fetch(`/v1/pets?limit=${1 + Number(id % 100n)}`)
  }
  return names
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

const untilReady = (instances: readonly ServiceProcess[]) =>
  eventually(
    'all are ready',
    async () => {
      const answers = await Promise.all(instances.map(instance => instance.fetch('/readyz')))
      return answers.every(({ status }) => status === 200) || undefined
    },
    30_000,
  )

async function expectOnlyWhatIsStored(
  instances: readonly ServiceProcess[],
  databaseUrl: string,
  lost: readonly PetBody[],
): Promise<void> {
  // Adds an animal, which could have reused a lost identifier.
  const fresh = await (instances.at(-1) as ServiceProcess).post(petJson({ name: 'after it' }))
  expect(fresh.status).toBe(201)
  expect(lost.map(({ id }) => id)).not.toContain(fresh.pet.id)
  for (const instance of instances) expect(await invented(instance, databaseUrl, lost)).toEqual([])
  const [stored] = await query<{ count: string }>(
    databaseUrl,
    "SELECT count(*) FROM pets WHERE name LIKE 'lost %'",
  )
  expect(stored?.count).toBe('0')
}

const losses = [
  ['dies', (primary: PostgresServer) => primary.crash()],
  ['hangs', (primary: PostgresServer) => primary.freeze()],
] as const

test.each(losses)(
  'when the primary %s and an asynchronous standby takes over without the last commits, no instance shows what was lost, and no lost identifier is given again',
  async (_how, lose) => {
    const { primary, database, link } = await stoppedPrimary()
    const standby = await PostgresServer.standbyOf(primary, 'second', link.port)
    await Promise.all([primary.start(), standby.start()])
    const address = await TcpProxy.to(primary.port)
    const databaseUrl = `postgres://postgres@127.0.0.1:${address.port}/${database}`
    const instances = await startInstances(2, { databaseUrl })
    const kept = await added(instances, 'kept', KEPT)
    await primary.untilFollowed()
    link.hang()
    const lost = await added(instances, 'lost', LOST)
    await lose(primary)
    link.close()
    await standby.promote()
    address.leadTo(standby.port)
    await untilReady(instances)
    await expectOnlyWhatIsStored(instances, standby.url(database), [...kept, ...lost])
    expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0])
    address.close()
    await Promise.all([primary.remove(), standby.remove()])
  },
)

test('when the disk of the server is put back to an earlier state, no instance shows what was lost', async () => {
  const server = await PostgresServer.create()
  const databaseUrl = await server.freshDatabaseUrl()
  const instances = await startInstances(2, { databaseUrl })
  const kept = await added(instances, 'kept', KEPT)
  await server.stop()
  const earlier = `${server.data}-earlier`
  cpSync(server.data, earlier, { recursive: true, preserveTimestamps: true })
  await server.start()
  await untilReady(instances)
  const lost = await added(instances, 'lost', LOST)
  await server.crash()
  rmSync(server.data, { recursive: true })
  cpSync(earlier, server.data, { recursive: true, preserveTimestamps: true })
  ownByPostgres(server.data)
  await server.start()
  await untilReady(instances)
  await expectOnlyWhatIsStored(instances, databaseUrl, [...kept, ...lost])
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0])
  await server.remove()
})

test('when a dump is put back under instances that keep their connections, they show what it holds within 5 seconds', async () => {
  const server = await PostgresServer.create()
  const databaseUrl = await server.freshDatabaseUrl()
  const instances = await startInstances(2, { databaseUrl })
  await added(instances, 'kept', KEPT)
  await query(databaseUrl, 'CREATE TABLE dump AS TABLE pets')
  const lost = await added(instances, 'lost', LOST)
  await query(databaseUrl, 'TRUNCATE pets; INSERT INTO pets SELECT * FROM dump')
  for (const instance of instances)
    await eventually(
      'only what the dump holds is shown',
      async () => ((await invented(instance, databaseUrl, lost)).length === 0 ? true : undefined),
      NOTICED_WITHIN_MS,
    )
  expect(await Promise.all(instances.map(instance => instance.stop()))).toEqual([0, 0])
  await server.remove()
})
