import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { beginDraft, createPrivateFolder } from '../../files.ts'
import { explained, InvalidInput } from '../../operator-error.ts'
import * as copy from '../copy.ts'
import { connect, emptyLog } from './connect.ts'
import { realPath, refuseOddPlace } from './file-check.ts'
import { refuseLostLog } from './lost-log.ts'
import { checkFile, noFile, openFile } from './open.ts'
import { atPath, continueAfter, lastIdOf, metaValue, type SqliteLocation, setMeta } from './schema.ts'

/** Reads in one transaction of a read-only connection, so that it sees one state while a service writes. */
export async function copyFromSqlite<T>(
  location: SqliteLocation,
  to: string,
  work: (source: copy.CopySource) => Promise<T>,
): Promise<T> {
  const check = async () => checkFile(location)
  const mark = async (mark: copy.CopyMark) => markSqlite(location, mark)
  return copy.whileMarked({ check, mark }, to, async () => {
    using database = connect(location.database.path, 'read')
    database.run('BEGIN')
    return await work({
      lastId: lastIdOf(database),
      cursorSecret: metaValue(database, 'cursor_secret') ?? '',
      rows: table => rowsOf(database, table),
    })
  })
}

/** Creates a file, which appears under its name only when it is complete and on disk. */
export async function copyIntoSqlite(
  location: SqliteLocation,
  source: copy.CopySource,
  control: copy.CopyControl,
): Promise<copy.CopiedPart[]> {
  const { path } = location.database
  using draft = explained(
    reason => `The database ${path} cannot be created: ${reason}.`,
    () => {
      refuseOddPlace(path)
      const target = realPath(path)
      if (existsSync(target))
        throw new InvalidInput(`${target} already exists. A copy needs a new file: move this one away.`)
      refuseLostLog(target)
      createPrivateFolder(dirname(target))
      return beginDraft(target, { replace: false })
    },
  )
  const copied = await fill(atPath(location, draft.path), source, control)
  draft.publish()
  return copied
}

async function fill(
  location: SqliteLocation,
  source: copy.CopySource,
  control: copy.CopyControl,
): Promise<copy.CopiedPart[]> {
  using database = openFile(location, true)
  // 64 MB, because the default 2 MB would write most pages of this one transaction several times.
  database.run('PRAGMA cache_size = -65536')
  database.run('BEGIN IMMEDIATE')
  const insert: copy.CopyTarget['insert'] = async (table, rows) => {
    const places = Object.keys(rows[0] ?? {}).map(() => '?')
    const inserting = database.query(`INSERT INTO ${table} VALUES (${places})`)
    for (const row of rows) inserting.run(...Object.values(row))
  }
  const copied = await copy.copyRows(source, { rows: table => rowsOf(database, table), insert }, control)
  setMeta(database, 'cursor_secret', source.cursorSecret)
  continueAfter(database, source.lastId)
  database.run('COMMIT')
  emptyLog(database)
  return copied
}

export function markSqlite(location: SqliteLocation, mark: copy.CopyMark): void {
  const { path } = location.database
  explained(
    reason => `The database ${path} cannot be marked: ${reason}.`,
    () => {
      refuseLostLog(path)
      if (!existsSync(path)) throw noFile(location)
      using database = connect(path, 'write')
      const replace = database.transaction(() => {
        database.run('DELETE FROM meta WHERE name IN (?, ?)', [copy.MOVED_TO, copy.MOVED_AT])
        for (const [name, value] of Object.entries(mark)) setMeta(database, name, value)
      })
      replace.immediate()
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
