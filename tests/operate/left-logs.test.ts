import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { openFile } from '../../src/store/sqlite/open.ts'
import { walk } from '../support/http.ts'
import { freshFolder, freshSqliteUrl, pathOf } from '../support/process.ts'
import { copyBetween, expectRefused } from '../support/refused.ts'
import { startService } from '../support/service.ts'
import { runIn } from '../support/statements.ts'
import { addTo, animals, engineAt, makeStore, openStore } from '../support/store.ts'

const PAGE = 4096

/** The files of a service that was killed with 20 animals in its database file and 3 in its write-ahead log; and a backup. */
async function killedService(): Promise<{ path: string; backup: string }> {
  const [databaseUrl, killedUrl] = [await freshSqliteUrl(), await freshSqliteUrl()]
  const [running, path] = [pathOf(databaseUrl), pathOf(killedUrl)]
  await makeStore(databaseUrl, animals(20))
  const backup = join(await freshFolder(), 'backup.db')
  await engineAt(databaseUrl).backUp({ file: backup, force: false })
  await using store = await openStore(databaseUrl)
  // The first write is not the first one of the log.
  await store.ping()
  runIn(running, 'PRAGMA wal_checkpoint(TRUNCATE)')
  for (let n = 0; n < 3; n++) await addTo(store)
  for (const part of ['', '-wal']) fs.copyFileSync(running + part, path + part)
  expect(fs.statSync(`${path}-wal`).size).toBeGreaterThan(PAGE)
  return { path, backup }
}

const restore = (databaseUrl: string, file: string, force = false) =>
  engineAt(databaseUrl).restore({ file, force, nextId: undefined })

/** Every file of a folder with its content. */
const filesBeside = (path: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(dirname(path))
      // The index of the log, which SQLite makes anew.
      .filter(name => !name.endsWith('-shm'))
      .map(name => [name, fs.readFileSync(join(dirname(path), name), 'latin1')]),
  )

const LOG_HOLDS = /animals\.db-wal beside it holds changes/
const harms: [string, (path: string, backup: string) => void, RegExp][] = [
  ['removed', path => fs.rmSync(path), LOG_HOLDS],
  ['emptied', path => fs.truncateSync(path, 0), LOG_HOLDS],
  ['cut to a few bytes', path => fs.truncateSync(path, 100), LOG_HOLDS],
  ['overwritten with a text', path => fs.writeFileSync(path, 'x'.repeat(3 * PAGE)), LOG_HOLDS],
  [
    'replaced by a copy of its backup',
    (path, backup) => fs.copyFileSync(backup, path),
    /animals\.db-wal belongs to another database file/,
  ],
  [
    'removed, beside a rollback journal',
    path => {
      fs.rmSync(path)
      fs.renameSync(`${path}-wal`, `${path}-journal`)
    },
    /animals\.db-journal beside it holds changes/,
  ],
]

test.each(harms)('a log beside a file that was %s is saved, never applied', async (_harm, harm, sentence) => {
  const { path, backup } = await killedService()
  harm(path, backup)
  const before = filesBeside(path)
  const url = `sqlite:${path}`
  const file = join(await freshFolder(), 'copy.db')
  const engine = engineAt(url)
  await expectRefused(url, 'refused', /petstore restore BACKUP --force keeps these files/)
  await expectRefused(url, 'refused', sentence, {
    backup: () => engine.backUp({ file, force: false }),
    check: () => engine.check(),
    mark: () => engine.mark(),
    ...(fs.existsSync(path) && { restore: () => restore(`sqlite:${file}`, path) }),
  })
  await expect(restore(url, backup)).rejects.toThrow('--force replaces it')
  expect(filesBeside(path)).toEqual(before)

  const { kept: name = '' } = await restore(url, backup, true)
  expect(name).toStartWith(`${fs.realpathSync(path)}.replaced-`)
  const kept = Object.entries(filesBeside(path))
    .filter(([name]) => name.includes('.replaced-'))
    .map(([name, content]) => [name.replace(/\.replaced-\w+Z/, ''), content])
  expect(Object.fromEntries(kept)).toEqual(before)
  using service = await startService({ databaseUrl: url })
  expect((await walk(service, '/v1/pets')).pets).toHaveLength(20)
})

test('what a start recovers from a log is on the disk before it is served, also if another process uses the log', async () => {
  for (const isUsed of [false, true]) {
    const { path } = await killedService()
    using other = new Database(path)
    if (isUsed) other.run('BEGIN; SELECT count(*) FROM pets')
    const synced: number[] = []
    const sync = (file: number): void => void synced.push(fs.fstatSync(file).ino)
    using _syncing = spyOn(fs, 'fsyncSync').mockImplementation(sync)
    using _opened = openFile({ path, environment: 'production' }, false)
    const { size, ino } = fs.statSync(`${path}-wal`)
    expect([size > 0, synced]).toEqual([isUsed, isUsed ? [ino] : []])
  }
})

test('a restore over the files of a killed service keeps what was in its log', async () => {
  const { path, backup } = await killedService()
  const { animals, kept = '' } = await restore(`sqlite:${path}`, backup, true)
  using previous = new Database(kept)
  expect([animals, previous.query('SELECT count(*) FROM pets').values()]).toEqual([20, [[23]]])
})

/** A backup in the state in which a kill during a write leaves it: some pages are changed, and a journal holds them as they were. */
async function killedInWrite(): Promise<string> {
  const path = pathOf(await freshSqliteUrl())
  const { backup } = await killedService()
  using database = new Database(backup)
  database.run('PRAGMA cache_size = 1')
  database.run('BEGIN')
  database.run("UPDATE pets SET name = 'never committed'")
  for (let n = 0; n < 20; n++) database.run('INSERT INTO meta VALUES (?, hex(randomblob(2000)))', [`${n}`])
  for (const part of ['', '-journal']) fs.copyFileSync(backup + part, path + part)
  expect(fs.readFileSync(path, 'latin1')).toContain('never committed')
  return path
}

test('a journal beside its own database file is rolled back by the next start or restore', async () => {
  const path = await killedInWrite()
  expect((await engineAt(`sqlite:${path}`).diagnose()).failure).toBeUndefined()
  using service = await startService({ databaseUrl: `sqlite:${path}` })
  expect((await walk(service, '/v1/pets')).pets.map(({ name }) => name)).toEqual(animals(20))
  const replaced = await killedInWrite()
  const { backup } = await killedService()
  await restore(`sqlite:${replaced}`, backup, true)
  expect(fs.existsSync(`${replaced}-journal`)).toBe(false)
  expect(fs.readFileSync(replaced, 'latin1')).not.toContain('never committed')
})

test('a backup and a copy are not put beside a log that is not theirs', async () => {
  const { path } = await killedService()
  const target = pathOf(await freshSqliteUrl())
  fs.writeFileSync(`${target}-wal`, 'left')
  const backingUp = engineAt(`sqlite:${path}`).backUp({ file: target, force: true })
  const copying = copyBetween(`sqlite:${path}`, `sqlite:${target}`)
  for (const refused of [backingUp, copying])
    await expect(refused).rejects.toMatchObject({
      exit: 'refused',
      message: expect.stringMatching(LOG_HOLDS),
    })
  expect(filesBeside(target)).toEqual({ 'animals.db-wal': 'left' })
})

test('a restore of a plain copy of a live database says that its newest animals may be missing', async () => {
  const { path, backup } = await killedService()
  const mayLack = async (file: string) => (await restore(await freshSqliteUrl(), file)).mayLackWal
  expect([await mayLack(backup), await mayLack(path)]).toEqual([false, false])
  fs.rmSync(`${path}-wal`)
  expect(await mayLack(path)).toBe(true)
})
