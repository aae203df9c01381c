import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { beginDraft, createPrivateFolder } from '../../files.ts'
import { explained, InvalidInput, OperatorError } from '../../operator-error.ts'
import * as copy from '../copy.ts'
import { connect, emptyWal } from './connect.ts'
import { fileId, realPath, refuseOddPlace } from './database-files.ts'
import { hasDatabase, inUse, noFile, openFile } from './open.ts'
import { continueAfter, lastIdOf, metaValue, type SqliteLocation, setMeta } from './schema.ts'
import { refuseStrayWal } from './stray-wal.ts'

/** Reads in one transaction of a read-only connection, so that it sees one state while a service writes. */
export async function readSqlite<T>(
  { path }: SqliteLocation,
  work: (source: copy.CopySource) => Promise<T>,
): Promise<T> {
  using database = connect(path, 'read')
  database.run('BEGIN')
  return await work({
    lastId: lastIdOf(database),
    cursorSecret: metaValue(database, 'cursor_secret') ?? '',
    rows: table => rowsOf(database, table),
  })
}

/** One transaction into a new file, which is marked until its commit. */
export async function fillSqlite<T>(
  location: SqliteLocation,
  mark: copy.CopyMark,
  work: (target: copy.CopyTarget) => Promise<T>,
): Promise<T> {
  const path = realPath(location.path)
  await createMarked({ ...location, path }, mark)
  using database = connect(path, 'durable')
  const file = fileId(path)
  // 64 MB, because the default 2 MB would write most pages of this one transaction several times.
  database.run('PRAGMA cache_size = -65536')
  explained(
    reason => `${path} cannot be written to: ${reason}.`,
    () => database.run('BEGIN IMMEDIATE'),
  )
  if (database.run(...copy.markStatement()).changes === 0) throw inUse(path)
  const result = await work({
    rows: table => rowsOf(database, table),
    continueAs: async ({ cursorSecret, lastId }) => {
      setMeta(database, 'cursor_secret', cursorSecret)
      continueAfter(database, lastId)
    },
    insert: async (table, rows) => {
      const places = Object.keys(rows[0] ?? {}).map(() => '?')
      const inserting = database.query(`INSERT INTO ${table} VALUES (${places})`)
      for (const row of rows) inserting.run(...Object.values(row))
    },
  })
  if (fileId(path) !== file) throw new OperatorError(`${path} was removed or replaced during the copy.`)
  database.run('COMMIT')
  emptyWal(database)
  return result
}

/** Creates a file that appears under its name with its mark, unless this copy has done so before. */
async function createMarked(location: SqliteLocation, mark: copy.CopyMark): Promise<void> {
  const { path } = location
  if (existsSync(path)) {
    if (await copy.isBegun(mark, () => hasDatabase(location))) return
    throw new InvalidInput(`${path} already exists. A copy needs a new file: move this one away.`)
  }
  refuseOddPlace(path)
  refuseStrayWal(path)
  createPrivateFolder(dirname(path))
  using draft = beginDraft(path, { replace: false })
  const database = openFile({ ...location, path: draft.path }, true)
  database.run(...copy.markStatement(mark))
  emptyWal(database)
  database.close()
  draft.publish()
}

export function markSqlite(location: SqliteLocation, mark?: copy.CopyMark): void {
  const { path } = location
  explained(
    reason => `The database ${path} cannot be marked: ${reason}.`,
    () => {
      refuseStrayWal(path)
      if (!existsSync(path)) throw noFile(location)
      using database = connect(path, 'write')
      database.run(...copy.markStatement(mark))
    },
  )
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
