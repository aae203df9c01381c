import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type PetBody, petJson } from '../../support/http.ts'
import { PostgresServer, query } from '../../support/postgres.ts'
import { ownByPostgres } from '../../support/postgres-programs.ts'
import { eventually } from '../../support/process.ts'
import { type ServiceProcess, startInstances } from '../../support/service.ts'
import { LOSSES, startCluster, untilReady } from './cluster.ts'

const KEPT = 30
const LOST = 30
const SKIPPED = 2 ** 20

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

/** Its server was away, and is refused since it came back. */
const untilGoneBack = (instance: ServiceProcess): Promise<true> =>
  eventually('it is refused', async () => {
    const { status, text } = await instance.fetch('/readyz')
    expect(status).toBe(503)
    return text.includes('gone back to an earlier state') || undefined
  })

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

/** A base backup, made while the server runs. Returns a function that puts it in the server's place. */
async function baseBackup(server: PostgresServer): Promise<() => Promise<void>> {
  const copy = `${server.data}.backup`
  const session = new pg.Client({ connectionString: server.url() })
  await session.connect()
  await session.query("SELECT pg_backup_start('backup', true)")
  // Files may disappear while they are copied; others have the exit code of a warning.
  spawnSync('cp', ['-a', server.data, copy])
  const { rows } = await session.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
  await session.end()
  cpSync(join(server.data, 'pg_wal'), join(copy, 'pg_wal'), { recursive: true })
  rmSync(join(copy, 'postmaster.pid'))
  writeFileSync(join(copy, 'backup_label'), String(rows[0]?.labelfile))
  return async () => {
    await server.crash()
    rmSync(server.data, { recursive: true })
    renameSync(copy, server.data)
    ownByPostgres(server.data)
    await server.start()
  }
}

test('when an older base backup takes the place of the server, every instance refuses it until it is restarted, and identifiers are skipped once', async () => {
  await using server = await PostgresServer.create()
  const databaseUrl = await server.freshDatabaseUrl()
  const instances = await startInstances(2, { databaseUrl })
  const kept = await added(instances, 'kept', KEPT)
  const goBack = await baseBackup(server)
  const lost = await added(instances.slice(0, 1), 'lost', LOST)
  // The check of the other one sees them.
  await untilReady(instances)
  await goBack()
  for (const instance of instances) await untilGoneBack(instance)
  for (const { output } of instances) {
    await output.entry(({ event }) => event === 'database-refused')
    const reasons = output.log.filter(({ event }) => event === 'database-refused').map(({ reason }) => reason)
    expect(reasons).toEqual([expect.stringContaining('restarted with fewer animals than before')])
  }
  const [first, second] = instances as [ServiceProcess, ServiceProcess]
  const goesOn = await first.restart()
  await untilReady([goesOn])
  await expectOnlyWhatIsStored([goesOn], databaseUrl, [...kept, ...lost])
  for (const target of ['/v1/pets/1', '/v1/pets?limit=2'])
    expect(await second.fetch(target)).toHaveStatus(503)
  const restarted = [goesOn, await second.restart()]
  await untilReady(restarted)
  await expectOnlyWhatIsStored(restarted, databaseUrl, [...kept, ...lost])
  const [stored] = await query<{ highest: string }>(databaseUrl, 'SELECT max(id) AS highest FROM pets')
  expect(Number(stored?.highest)).toBeWithin(SKIPPED, 2 * SKIPPED)
  expect(await Promise.all(restarted.map(instance => instance.stop()))).toEqual([0, 0])
})
