import { expect } from 'bun:test'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresServer } from '../../support/postgres.ts'
import { ownByPostgres } from '../../support/postgres-programs.ts'
import { atOnce, createKey, freshFolder, freshSqliteUrl, pathOf, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { startProcess } from '../../support/service.ts'
import { Caller, SmallDisk } from './support/disk.ts'

const { afterEach, beforeEach, test } = needs('mounting', 'mount')

const FULL = 'is on a disk without free space or inodes, see df -h and df -i (ENOSPC)'
const LONG_NAME = 'x'.repeat(200)

let disk: SmallDisk
beforeEach(() => {
  disk = new SmallDisk()
})
afterEach(() => disk.remove())

/** Adds with several callers until every one of them is refused, and then with one: it may still fit where several do not. */
async function fillUp(caller: Caller): Promise<void> {
  let n = 0
  const fill = async (): Promise<void> => {
    while ((await caller.add(`${n++} ${LONG_NAME}`)) === 201) expect(n).toBeLessThan(20_000)
  }
  await atOnce(12, fill)
  await fill()
}

/** Fills the disk twice through a service of several threads, and leaves it full for a stop. */
async function expectHonest(databaseUrl: string, leaving: number): Promise<void> {
  const service = await startProcess({ databaseUrl, variables: { PETSTORE_THREADS: '4' } })
  const caller = new Caller(service)
  for (let time = 0; time < 2; time++) {
    disk.fill(leaving)
    await fillUp(caller)
    for (let more = 0; more < 6; more++) {
      const ready = await service.fetch('/readyz')
      expect(ready.failure).toBe('503 unavailable')
      expect(ready.error.message).toBe('The storage cannot be used: the disk is full.')
    }
    // At least as long as the one that was refused: a shorter name may still fit.
    expect(await caller.add(`20000 ${LONG_NAME}`)).toBe(503)
    await caller.expectNothingElse()
    expect(await service.fetch('/livez')).toHaveStatus(200)
    disk.makeRoom()
    for (let more = 0; more < 3; more++) expect(await service.fetch('/readyz')).toHaveStatus(200)
    expect(await caller.add('after')).toBe(201)
    await caller.expectNothingElse()
    // A refused animal and a trial take no identifier.
    expect(Math.max(...[...caller.acknowledged.keys()].map(Number))).toBe(caller.acknowledged.size)
  }
  disk.fill(0)
  await fillUp(caller)
  expect(await service.stop()).toBe(0)
  disk.makeRoom()
  using again = await service.restart()
  await caller.expectNothingElse(again)
}

test('on a disk that many callers fill up, a SQLite service of several threads refuses writes and is not ready from the first question on, reads go on, nothing acknowledged is lost, writes work again as soon as there is space, and the service ends well', () =>
  expectHonest(disk.databaseUrl, 1_000_000))

test('a PostgreSQL service of several threads does so while the disk of the server is full', async () => {
  await using server = await PostgresServer.create()
  ownByPostgres(disk.folder)
  await server.query(`CREATE TABLESPACE small LOCATION '${disk.folder}'`)
  await server.query('CREATE DATABASE small TABLESPACE small')
  await expectHonest(server.url('small'), 400_000)
})

async function restored(): Promise<void> {
  const variables = { DATABASE_URL: disk.databaseUrl }
  const backup = join(await freshFolder(), 'backup.db')
  await createKey(disk.databaseUrl, 'first')
  for (const command of ['backup', 'restore --force'])
    expect(await petstore([...command.split(' '), backup], variables)).toMatchObject({ code: 0 })
}
const stopped = async () => (await startProcess({ databaseUrl: disk.databaseUrl })).stop()

test.each<[what: string, prepare: () => Promise<unknown>, fill: () => void]>([
  ['of a stopped service', stopped, () => disk.fill(0)],
  ['of a stopped service, without inodes', stopped, () => disk.useUpInodes()],
  ['of a restored database that has not been started yet', restored, () => disk.fill(0)],
])('on the full disk %s there is no start, and all commands say why', async (_what, prepare, fill) => {
  await prepare()
  fill()
  for (const command of ['serve', 'serve --check', 'doctor']) {
    const code = command === 'doctor' ? 1 : 5
    const args = [...command.split(' '), '--port', '0']
    const ran = await petstore(args, { DATABASE_URL: disk.databaseUrl })
    const said = `${ran.stdout}${ran.stderr}`
    expect([command, ran.code, said]).toEqual([command, code, expect.stringContaining(FULL)])
  }
  const before = ['serve', '--check', '--database-url', `sqlite:${join(disk.folder, 'new', 'another.db')}`]
  expect(await petstore(before)).toMatchObject({ code: 5, stdout: '' })
})

test.each([
  // Enough to open the database.
  ['was stopped with no room for an animal', 'stop', 37_000],
  ['was killed, and has left the files that it needs, with no room at all', 'kill', 0],
] as const)('a service that %s starts, and is not ready until there is room', async (_what, end, leaving) => {
  const before = await startProcess({ databaseUrl: disk.databaseUrl })
  const caller = new Caller(before)
  await caller.add('the first')
  await before[end]()
  disk.fill(leaving)
  const checked = await petstore(['serve', '--check', '--port', '0'], { DATABASE_URL: disk.databaseUrl })
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('The service can start') })
  expect(checked.stderr).toMatch(/^fail {4}disk: \S+ is on a disk without free space/m)
  using service = await before.restart()
  expect(service.output.log.filter(({ event }) => event === 'creates-will-fail')).toHaveLength(1)
  expect(await service.fetch('/readyz')).toHaveStatus(503)
  await caller.expectNothingElse(service)
  disk.makeRoom()
  expect(await service.fetch('/readyz')).toHaveStatus(200)
  await service.kill()
})

/** Of a database, and the whole disk. */
const FILES = ['', 'animals.db', 'animals.db-wal', 'animals.db-shm']

test.each(FILES)('a database that may only be read (%p) stops the start, in one sentence', async file => {
  const service = await startProcess({ databaseUrl: disk.databaseUrl })
  await new Caller(service).add('the first')
  // Killed, so that its write-ahead log stays.
  await service.kill()
  disk.makeReadOnly(file)
  const run = (...args: string[]) => petstore([...args, '--port', '0'], { DATABASE_URL: disk.databaseUrl })
  const [served, checked, doctor] = [await run('serve'), await run('serve', '--check'), await run('doctor')]
  expect(served).toMatchObject({ code: 5, stdout: '' })
  const named = join(disk.folder, file || 'animals.db')
  expect(served.stderr).toEndWith(`animals.db cannot be opened: ${named} is on a read-only disk (EROFS).\n`)
  expect(checked).toEqual(served)
  expect(doctor.stdout).toContain(served.stderr.slice('petstore: '.length, -1))
  if (file === '') expect(doctor.stdout).toContain('animals.db is on a read-only disk (EROFS)\n')
})

test.each(['stopped', 'killed'])('a read-only disk gives back its backup and its files: %s', async how => {
  const service = await startProcess({ databaseUrl: disk.databaseUrl })
  await new Caller(service).add('the first')
  const backup = join(disk.folder, 'backup.db')
  expect((await petstore(['backup', backup], { DATABASE_URL: disk.databaseUrl })).code).toBe(0)
  await (how === 'killed' ? service.kill() : service.stop())
  disk.makeReadOnly()
  const restored = await petstore(['restore', backup, '--json'], { DATABASE_URL: await freshSqliteUrl() })
  expect([restored.stderr, BigInt(JSON.parse(restored.stdout).lastId)]).toEqual(['', 1n])
  const copy = await freshSqliteUrl()
  for (const part of ['', '-wal'].filter(part => existsSync(pathOf(disk.databaseUrl) + part)))
    copyFileSync(pathOf(disk.databaseUrl) + part, pathOf(copy) + part)
  using again = await startProcess({ databaseUrl: copy })
  expect((await again.fetch('/v1/pets')).text).toContain('the first')
})
