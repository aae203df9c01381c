import { Database } from 'bun:sqlite'
import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHECKPOINT_BYTES, singleValue } from './connect.ts'
import { openedFiles, PAGE_BYTES } from './database-files.ts'
import { openFile } from './open.ts'
import { openWriter } from './writer.ts'

/** SQLite's error of a commit that the disk did not sync. */
const failedSync = Object.assign(new Error('disk I/O error'), { name: 'SQLiteError', errno: 1034 })
afterEach(() => mock.restore())

/** A writer for a new database, whose disk can fail at the statements that begin with some words. */
function freshWriter() {
  const path = join(fs.mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const opened = openFile({ path, environment: 'production' }, true)
  const { query } = Database.prototype
  let failing: string | undefined
  let connection = opened
  spyOn(Database.prototype, 'query').mockImplementation(function (this: Database, sql) {
    connection = this
    const statement = query.call(this, sql)
    const failable = (work: (...values: never[]) => unknown) => {
      const usual = work.bind(statement)
      return (...values: never[]) => {
        if (failing !== undefined && sql.startsWith(failing)) throw failedSync
        return usual(...values)
      }
    }
    const [run, values] = [failable(statement.run), failable(statement.values)]
    return Object.assign(statement, { run, values }) as never
  })
  const writer = openWriter({ path, files: openedFiles(path), lockMs: 60_000 })
  const own = connection
  return {
    opened,
    log: `${path}-wal`,
    writer,
    cacheSize: () => singleValue(own, 'PRAGMA cache_size'),
    failAt: (beginning?: string) => {
      failing = beginning
    },
    logBytes: () => fs.statSync(`${path}-wal`).size,
    ping: () => writer.run([['ping']]),
    add: (count: number) => {
      const rows = JSON.stringify(Array(count).fill(['Rex', '1', 'sold']))
      return writer.run([['addPets', rows, '[]']])
    },
    [Symbol.dispose]: () => {
      writer.close()
      opened.close()
    },
  }
}

test('an animal whose commit fails at the disk may be stored, and the write-ahead log is emptied before the next one, but not before others', () => {
  using fresh = freshWriter()
  const { opened, add, failAt, logBytes } = fresh
  add(1000)
  const before = logBytes()
  failAt('COMMIT')
  // The failure itself does not say what the disk lacks.
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  const trying = spyOn(fs, 'writeFileSync').mockImplementation(() => {
    throw full
  })
  const unknown = { name: 'OutcomeUnknown', trouble: 'disk-full' }
  expect(() => add(1)).toThrow(expect.objectContaining(unknown))
  trying.mockRestore()
  failAt()
  // As long as someone reads, the log cannot be emptied.
  opened.run('BEGIN; SELECT count(*) FROM pets')
  expect(() => add(1)).toThrow(expect.objectContaining({ name: 'StorageUnavailable' }))
  opened.run('ROLLBACK')
  add(1)
  expect(logBytes()).toBeLessThan(before / 2)
  opened.run('BEGIN; SELECT count(*) FROM pets')
  add(1)
  const after = logBytes()
  fresh.ping()
  expect(logBytes()).toBe(after)
})

test('a write waits until another program releases its lock', () => {
  using fresh = freshWriter()
  fresh.opened.run('BEGIN IMMEDIATE')
  const waiting = spyOn(Bun, 'sleepSync').mockImplementation(() => void fresh.opened.run('COMMIT'))
  fresh.add(1)
  expect(waiting).toHaveBeenCalledTimes(1)
})

test('after any failure of the disk the write-ahead log is emptied before the next animal', () => {
  using fresh = freshWriter()
  const { add, failAt, logBytes } = fresh
  add(1000)
  const before = logBytes()
  failAt('INSERT INTO pets')
  expect(() => add(1)).toThrow('disk I/O error')
  failAt()
  add(1)
  expect(logBytes()).toBeLessThan(before / 2)
})

test('an animal is stored even if the write-ahead log, which has become too large, cannot be emptied after it', () => {
  using fresh = freshWriter()
  const { add, failAt, log, logBytes } = fresh
  add(1)
  fs.truncateSync(log, 2 * CHECKPOINT_BYTES + 1)
  failAt('PRAGMA wal_checkpoint')
  expect(add(1).results).toEqual(['{"firstId":"2","keyed":[]}'])
  failAt()
  expect(logBytes()).toBeGreaterThan(2 * CHECKPOINT_BYTES)
  add(1)
  expect(logBytes()).toBe(0)
})

test('after a failed write, a ping fails until a create would succeed, whatever other writes do', () => {
  using fresh = freshWriter()
  const { opened, writer, add, ping, failAt, logBytes } = fresh
  const key = (id: string) => {
    const createdAt = new Date()
    return ['addKey', { id, name: id, hint: id, hash: id, createdAt, expiresAt: undefined }] as const
  }
  const blockCreates = () =>
    opened.run("CREATE TRIGGER blocked BEFORE INSERT ON pets BEGIN SELECT raise(FAIL, 'blocked'); END")
  const allowCreates = () => opened.run('DROP TRIGGER blocked')
  blockCreates()
  // Also before the first animal.
  expect(ping).toThrow('blocked')
  expect(() => add(1)).toThrow('blocked')
  writer.run([key('alone')])
  expect(ping).toThrow('blocked')
  expect(() => writer.run([key('beside a ping'), ['ping']])).toThrow('blocked')
  allowCreates()
  const before = logBytes()
  ping()
  // It took the room that a large animal needs.
  expect(logBytes()).toBeGreaterThan(before + 8 * PAGE_BYTES)
  expect(fresh.cacheSize()).toBe(-2000n)
  blockCreates()
  // Nothing was refused since, or only because of a defect.
  ping()
  expect(() => writer.run([key('alone')])).toThrow('UNIQUE')
  ping()
  failAt('INSERT INTO api_keys')
  expect(() => writer.run([key('lost')])).toThrow('disk I/O error')
  expect(ping).toThrow('disk I/O error')
  failAt()
  expect(ping).toThrow('blocked')
  expect(fresh.cacheSize()).toBe(-2000n)
})

test('after a checkpoint, the first transaction that is committed writes the first page, even if one failed before', () => {
  using fresh = freshWriter()
  const { opened, add, failAt, log } = fresh
  add(1)
  opened.run('PRAGMA wal_checkpoint(TRUNCATE)')
  // The time of a file may advance in steps of some milliseconds.
  fs.utimesSync(log.slice(0, -'-wal'.length), 1, 1)
  failAt('COMMIT')
  expect(() => add(1)).toThrow('may or may not have been stored')
  failAt()
  add(1)
  const [bytes, frame] = [fs.readFileSync(log), 24 + PAGE_BYTES]
  const pages = Array.from({ length: (bytes.length - 32) / frame }, (_, n) =>
    bytes.readUInt32BE(32 + n * frame),
  )
  expect(pages).toContain(1)
})
