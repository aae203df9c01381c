import { Database } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'
import type { Environment } from '../../contract/servers.ts'
import { explained, OperatorError } from '../../operator-error.ts'
import {
  COPIED_TABLES,
  COPY_BATCH,
  type CopiedRow,
  type CopiedTable,
  type CopySource,
  type CopyTarget,
  MOVED_TO,
  selectRows,
} from '../copy.ts'
import { noFile } from '../errors.ts'
import { contentsOf, inspect, metaValue, openFile, singleValue } from './open.ts'
import { isBusy } from './sqlite-errors.ts'

/** A read transaction of a read-only connection: one state, whatever a service writes meanwhile. */
export const openSqliteCopySource = (path: string, environment: Environment): CopySource =>
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

export function openSqliteCopyTarget(path: string, environment: Environment): CopyTarget {
  const isNew = !existsSync(path)
  const database = openFile(path, environment, true)
  let isCommitted = false
  const close = (): void => {
    database.close()
    if (isNew && !isCommitted) for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true })
  }
  try {
    begin(database, path)
  } catch (error) {
    close()
    throw error
  }
  return {
    rows: table => rowsOf(database, table),
    insert: ({ name, columns }, rows) => {
      const names = Object.keys(columns)
      const insert = database.query(`INSERT INTO ${name} (${names}) VALUES (${names.map(() => '?')})`)
      for (const row of rows) insert.run(...row)
    },
    commit: ({ cursorSecret, lastId }) => {
      database.run("UPDATE meta SET value = ? WHERE name = 'cursor_secret'", [cursorSecret])
      database.run("DELETE FROM sqlite_sequence WHERE name = 'pets'")
      database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)", [lastId])
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
      if (place === undefined) database.run('DELETE FROM meta WHERE name = ?', [MOVED_TO])
      else database.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [MOVED_TO, place])
    },
  )

function begin(database: Database, path: string): void {
  try {
    // Refused while anyone has the file open: a service would go on with its own secret of cursors.
    // 64 MB: the usual 2 MB would write most pages of the one transaction several times.
    database.run('PRAGMA cache_size = -65536')
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('BEGIN IMMEDIATE')
  } catch (cause) {
    if (!isBusy(cause)) throw cause
    throw new OperatorError(`The database ${path} is in use. Stop what uses it.`, {
      cause,
      exit: 'unavailable',
    })
  }
  const isUsed = [...COPIED_TABLES.map(({ name }) => name), 'sqlite_sequence'].some(
    table => singleValue(database, `SELECT EXISTS (SELECT 1 FROM ${table})`) !== 0n,
  )
  if (isUsed) throw new OperatorError(`The database ${path} is not empty. A copy needs an empty one.`)
}

async function* rowsOf(database: Database, table: CopiedTable): AsyncGenerator<CopiedRow[]> {
  let batch: CopiedRow[] = []
  for (const row of database.query<Record<string, string | null>, []>(selectRows(table, 'BINARY')).iterate())
    if (batch.push(Object.values(row)) === COPY_BATCH) {
      yield batch
      batch = []
    }
  if (batch.length > 0) yield batch
}
