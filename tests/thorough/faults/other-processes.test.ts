import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Load } from '../../support/load.ts'
import { eventually, freshFolder, freshSqliteUrl, pathOf, petstore, type Ran } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { engines, makeStore, startProcess } from '../../support/service.ts'
import { startOnSlowStorage } from '../security/support/slow-storage.ts'
import { Caller } from './support/disk.ts'
import { animalsInWhole, fill } from './support/stored.ts'
import { programBelow } from './support/system.ts'

const ANIMALS = 100_000

/** A database with this many animals that no service has open. */
async function storeOf(animals: number): Promise<string> {
  const databaseUrl = await freshSqliteUrl()
  await makeStore(databaseUrl)
  fill(pathOf(databaseUrl), animals)
  return databaseUrl
}

/** Holds the write lock of a database until it is released. */
function lock(databaseUrl: string): () => void {
  const other = new Database(pathOf(databaseUrl), { create: true })
  other.run('BEGIN IMMEDIATE')
  return () => {
    other.run('ROLLBACK')
    other.close()
  }
}

const isDone = ({ code }: Ran): boolean => code === 0

test('while another process holds the database locked, writes and those queued behind them are refused with Retry-After, it is not ready, reads go on, and nothing is lost', async () => {
  const service = await startProcess()
  const caller = new Caller(service)
  await caller.add('the first')
  const release = lock(service.options.databaseUrl)
  let answered = 0
  const writing = Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      expect(await caller.add(`refused ${n}`)).toBe(503)
      answered++
    }),
  )
  while (answered === 0) await caller.expectNothingElse()
  await writing
  expect(await service.fetch('/readyz')).toHaveStatus(503)
  // A command that only reads does not wait for the lock.
  const listing = { DATABASE_URL: service.options.databaseUrl }
  expect(await petstore(['keys', 'list'], listing)).toMatchObject({ code: 0 })
  release()
  await caller.untilAdded('unlocked')
  expect(await service.fetch('/readyz')).toHaveStatus(200)
  await caller.expectNothingElse()
  expect(await service.stop()).toBe(0)
})

test('a service starts on a database that another process holds locked, reads at once and writes when it is released', async () => {
  const databaseUrl = await freshSqliteUrl()
  const before = await startProcess({ databaseUrl })
  await new Caller(before).add('the first')
  // Killed, so that the log is not empty and the start has to recover it.
  await before.kill()
  const release = lock(databaseUrl)
  const service = await startProcess({ databaseUrl })
  const caller = new Caller(service)
  caller.acknowledged.push('the first')
  await caller.expectNothingElse()
  expect(await caller.add('too early')).toBe(503)
  release()
  await eventually('added', async () => (await caller.add('in time')) === 201 || undefined)
  await caller.expectNothingElse()
  expect(await service.stop()).toBe(0)
})

needs('strace').test.each(engines.map(engine => [engine.name, engine] as const))(
  'under a flood of writes on a slow %s, keys are made and revoked',
  async (_name, engine) => {
    const service = await startOnSlowStorage(engine, 100)
    // Enough to keep one batch following another.
    const load = new Load(() => service.url, 8)
    for (const command of ['create --name mine', 'revoke mine --yes', 'create --name other']) {
      // A command that never gets the lock fails.
      const ran = await petstore(['keys', ...command.split(' ')], {
        DATABASE_URL: service.options.databaseUrl,
      })
      expect([ran.code, isDone(ran) ? '' : ran.stderr]).toEqual([0, ''])
    }
    await eventually('animals are added', () => load.acknowledged.size > 0 || undefined)
    await load.stop()
    expect(load.unexpected).toEqual([])
    process.kill(programBelow(service.process.pid), 'SIGTERM')
    await service.exited()
  },
)

test('of many backups to one file at once, each is complete or refused in a sentence, and the file is a whole backup', async () => {
  const databaseUrl = await storeOf(ANIMALS)
  const file = join(await freshFolder(), 'b.db')
  for (const flags of [[], ['--force']]) {
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => petstore(['backup', file, ...flags], { DATABASE_URL: databaseUrl })),
    )
    for (const { code, stdout, stderr } of runs)
      expect(`${code} ${stdout}${stderr}`).toMatch(/^(0 .*Backed up 100,000 animals|2 .*already exists\.)/s)
    const done = runs.filter(isDone).length
    if (flags.length === 0) expect(done).toBe(1)
    else expect(done).toBeGreaterThanOrEqual(1)
    expect(animalsInWhole(file)).toBe(ANIMALS)
    expect(readdirSync(dirname(file))).toEqual(['b.db'])
  }
})

test('of two restores into one place at once, what is reported is what is there', async () => {
  const sizes = [10, 20]
  const files = await Promise.all(
    sizes.map(async size => {
      const file = join(await freshFolder(), `${size}.db`)
      expect((await petstore(['backup', file], { DATABASE_URL: await storeOf(size) })).code).toBe(0)
      return file
    }),
  )
  const databaseUrl = await storeOf(30)
  const runs = await Promise.all(
    files.map(file => petstore(['restore', file, '--force'], { DATABASE_URL: databaseUrl })),
  )
  for (const [index, { code, stdout, stderr }] of runs.entries())
    if (code === 0) expect(stdout).toContain(`Restored ${sizes[index]} animals `)
    else expect(stderr).toMatch(/petstore: .* open\. Stop it first\.\n$/)
  const done = sizes.filter((_, index) => isDone(runs[index] as Ran))
  const folder = dirname(pathOf(databaseUrl))
  const kept = readdirSync(folder).filter(name => name.includes('.replaced-'))
  const found = [pathOf(databaseUrl), ...kept.map(name => join(folder, name))].map(animalsInWhole)
  // The first restore kept the old database, and a second one kept what the first had restored. Each may refuse the other.
  expect(found.toSorted()).toEqual([...done, 30])
  expect(done.length === 0 ? [30] : done).toContain(found[0] as number)
})

test('six processes that open a new database at once all succeed', async () => {
  const databaseUrl = await freshSqliteUrl()
  const runs = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      petstore(['keys', 'create', '--create', '--name', `key ${n}`], { DATABASE_URL: databaseUrl }),
    ),
  )
  expect(runs.filter(run => !isDone(run))).toEqual([])
  const { stdout } = await petstore(['keys', 'list'], { DATABASE_URL: databaseUrl })
  expect(stdout.match(/key \d/g)?.length).toBe(6)
})
