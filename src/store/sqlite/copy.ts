import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { beginDraft, createPrivateFolder } from '../../files.ts'
import { explained, InvalidInput } from '../../operator-error.ts'
import * as copy from '../copy.ts'
import { realPath, refuseOddPlace } from './file-check.ts'
import {
  assertThere,
  contentsOf,
  continueAfter,
  emptyLog,
  metaValue,
  noFile,
  openFile,
  setMeta,
} from './open.ts'

/** Reads in one transaction of a read-only connection, so that it sees one state while a service writes. */
export async function copyFromSqlite<T>(
  path: string,
  environment: Environment,
  work: (source: copy.CopySource) => Promise<T>,
): Promise<T> {
  assertThere(path, environment)
  using database = new Database(path, { readonly: true, safeIntegers: true, strict: true })
  database.run('BEGIN')
  return await work({
    lastId: contentsOf(database).lastId,
    cursorSecret: metaValue(database, 'cursor_secret') ?? '',
    rows: table => rowsOf(database, table),
  })
}

/** Creates a file, which appears under its name only when it is complete and on disk. */
export async function copyIntoSqlite(
  path: string,
  environment: Environment,
  source: copy.CopySource,
  control: copy.CopyControl,
): Promise<copy.CopiedPart[]> {
  using draft = explained(
    reason => `The database ${path} cannot be created: ${reason}.`,
    () => {
      refuseOddPlace(path)
      const target = realPath(path)
      if (existsSync(target))
        throw new InvalidInput(`${target} already exists. A copy needs a new file: move this one away.`)
      createPrivateFolder(dirname(target))
      return beginDraft(target, { replace: false })
    },
  )
  const copied = await fill(draft.path, environment, source, control)
  draft.publish()
  return copied
}

async function fill(
  path: string,
  environment: Environment,
  source: copy.CopySource,
  control: copy.CopyControl,
): Promise<copy.CopiedPart[]> {
  using database = openFile(path, environment, true)
  // 64 MB, because the default 2 MB would write most pages of this one transaction several times.
  database.run('PRAGMA cache_size = -65536')
  database.run('BEGIN IMMEDIATE')
  const insert = (table: copy.CopiedTable, rows: readonly copy.CopiedRow[]): void => {
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
