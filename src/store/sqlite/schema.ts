import type { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { OperatorError } from '../../operator-error.ts'
import { COPY_MARK, PartOfCopy } from '../copy.ts'
import type { CopySummary } from '../engine.ts'
import { singleValue } from './connect.ts'
import schema from './schema.sql' with { type: 'text' }
import { userVersionOf, versionIn } from './stray-wal.ts'

/** One step for each version of the schema. Never change a released step. */
const MIGRATIONS = [schema]
/** "PETS": distinguishes our files from other SQLite databases. */
const APPLICATION_ID = 0x50455453
/** Writes the page with the file's number, even if nothing changes. */
export const WRITE_FIRST_PAGE = `PRAGMA application_id = ${APPLICATION_ID}`

/** A database file, and the environment that it must belong to. */
export interface SqliteLocation {
  readonly path: string
  readonly environment: Environment
}

/** The database of a connection, or the one that a restore replaces. */
export type Schema = 'main' | 'previous'

/** Whether nothing was ever stored in the database. */
export const isBlank = (database: Database, schema: Schema = 'main'): boolean =>
  singleValue(database, `SELECT count(*) FROM ${schema}.sqlite_schema`) === 0n

/** Refuses a database that this release or environment must not use. */
export function assertOurs(database: Database, location: SqliteLocation): void {
  const { path } = location
  assertOwned(database, location)
  const version = schemaVersion(database)
  if (version > MIGRATIONS.length)
    throw notChanged(
      `The database ${path} was written by a newer release (schema ${version}; this release knows ${MIGRATIONS.length})`,
    )
  const mark = metaValue(database, COPY_MARK)
  if (mark !== undefined) throw new PartOfCopy(`sqlite:${resolve(path)}`, mark)
}

/** Refuses the database of another program or environment. */
export function assertOwned(database: Database, { path, environment }: SqliteLocation): void {
  if (singleValue(database, 'PRAGMA application_id') !== BigInt(APPLICATION_ID))
    throw notChanged(`${path} is a database of another program`)
  const owner = metaValue(database, 'environment')
  if (owner !== environment)
    throw notChanged(`The database ${path} belongs to ${owner}; this is ${environment}`)
}

const notChanged = (reason: string): OperatorError =>
  new OperatorError(`${reason}. It was not changed.`, { exit: 'refused' })

const userVersion = (database: Database): number => Number(singleValue(database, 'PRAGMA user_version'))

export const schemaVersion = (database: Database): number => versionIn(userVersion(database))

/** Upgrades the schema to this release in one transaction. Safe if several processes start at the same time. */
export function migrate(database: Database, { environment }: SqliteLocation): void {
  if (schemaVersion(database) >= MIGRATIONS.length) return
  const upgrade = database.transaction(() => {
    for (const step of MIGRATIONS.slice(schemaVersion(database))) database.run(step)
    database.run(`PRAGMA user_version = ${userVersionOf(MIGRATIONS.length, userVersion(database))}`)
    database.run(WRITE_FIRST_PAGE)
    const remember = 'INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)'
    database.run(remember, ['environment', environment])
    database.run(remember, ['cursor_secret', randomBytes(32).toString('hex')])
  })
  upgrade.immediate()
}

export const metaValue = (database: Database, name: string): string | undefined =>
  database.query<{ value: string }, [string]>('SELECT value FROM meta WHERE name = ?').get(name)?.value

export const setMeta = (database: Database, name: string, value: string): void =>
  void database.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', [name, value])

/** The next animal gets a higher identifier than this one. */
export function continueAfter(database: Database, lastId: bigint): void {
  database.run("DELETE FROM sqlite_sequence WHERE name = 'pets'")
  database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)", [lastId])
}

/** The highest identifier ever assigned. */
export const lastIdOf = (database: Database, schema: Schema = 'main'): bigint =>
  singleValue(database, `SELECT coalesce(max(seq), 0) FROM ${schema}.sqlite_sequence`) as bigint

export const contentsOf = (database: Database, schema: Schema = 'main'): CopySummary => ({
  animals: Number(singleValue(database, `SELECT count(*) FROM ${schema}.pets`)),
  keys: Number(singleValue(database, `SELECT count(*) FROM ${schema}.api_keys`)),
  lastId: lastIdOf(database, schema),
})
