import { Database } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'
import type { Environment } from '../../contract/servers.ts'
import { explained, OperatorError } from '../../operator-error.ts'
import * as copy from '../copy.ts'
import { noFile } from '../errors.ts'
import { contentsOf, continueAfter, inspect, metaValue, openFile, setMeta, singleValue } from './open.ts'
import { isBusy } from './sqlite-errors.ts'

/** A read transaction of a read-only connection: one state, whatever a service writes meanwhile. */
export const openSqliteCopySource = (path: string, environment: Environment): copy.CopySource =>
  explained(
    reason => `The database ${path} cannot be read: ${reason}.`,
    () => {
      if (inspect(path, environment) === 'nothing') throw noFile(path)
      const database = new Database(path, { readonly: true, safeIntegers: true, strict: true })
      database.run('BEGIN')
      return {
        lastId: contentsOf(database).lastId,
        cursorSecret: metaValue(database, 'cursor_secret') ?? '',
        rows: table => rowsOf(database, table),
        close: () => database.close(),
      }
    },
  )

export function openSqliteCopyTarget(path: string, environment: Environment): copy.CopyTarget {
  const isNew = !existsSync(path)
  const database = openFile(path, environment, true)
  try {
    begin(database, path)
  } catch (error) {
    // A service may have just begun to use the file.
    database.close()
    throw error
  }
  let isCommitted = false
  const close = (): void => {
    // While nobody else can have it open.
    if (isNew && !isCommitted) for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true })
    database.close()
  }
  return {
    rows: table => rowsOf(database, table),
    insert: (table, rows) => {
      const places = Object.keys(rows[0] ?? {}).map(() => '?')
      const insert = database.query(`INSERT INTO ${table} VALUES (${places})`)
      for (const row of rows) insert.run(...Object.values(row))
    },
    commit: ({ cursorSecret, lastId }) => {
      setMeta(database, 'cursor_secret', cursorSecret)
      continueAfter(database, lastId)
      database.run('COMMIT')
      isCommitted = true
    },
    close,
  }
}

export const markSqliteMoved = (path: string, place: string | undefined): void =>
  explained(
    reason => `The database ${path} cannot be marked: ${reason}.`,
    () => {
      if (!existsSync(path)) throw noFile(path)
      using database = new Database(path, { readwrite: true })
      database.run('PRAGMA busy_timeout = 2000')
      if (place === undefined) database.run('DELETE FROM meta WHERE name = ?', [copy.MOVED_TO])
      else setMeta(database, copy.MOVED_TO, place)
    },
  )

/** Refused while anyone has the file open: a service would go on with its own secret of cursors. */
function begin(database: Database, path: string): void {
  try {
    // 64 MB: the usual 2 MB would write most pages of the one transaction several times.
    database.run('PRAGMA cache_size = -65536')
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('BEGIN IMMEDIATE')
  } catch (cause) {
    if (!isBusy(cause)) throw cause
    const message = `The database ${path} is in use. Stop what uses it.`
    throw new OperatorError(message, { cause, exit: 'unavailable' })
  }
  for (const table of [...copy.TABLE_NAMES, 'sqlite_sequence'])
    if (singleValue(database, `SELECT EXISTS (SELECT 1 FROM ${table})`) !== 0n)
      throw new OperatorError(`The database ${path} is not empty. A copy needs an empty one.`)
}

async function* rowsOf(database: Database, table: copy.CopiedTable): AsyncGenerator<copy.CopiedRow[]> {
  let batch: copy.CopiedRow[] = []
  for (const row of database.query<Record<string, unknown>, []>(copy.selectRows(table)).iterate()) {
    for (const column in row) if (typeof row[column] === 'bigint') row[column] = String(row[column])
    if (batch.push(row as copy.CopiedRow) < copy.COPY_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
