import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import type { Environment } from '../../../contract/servers.ts'
import { explained } from '../../../operator-error.ts'
import type { CopySource, CopyTarget } from '../../transfer.ts'
import { targetInUse, targetNotEmpty, UNFINISHED_COPY } from '../../unfinished-copy.ts'
import { reading } from '../backup/contents.ts'
import { hasTable, singleValue } from '../file/database.ts'
import { isBusy } from '../file/failures.ts'
import { inspect } from '../file/inspect.ts'
import { openSqliteFile } from '../file/open.ts'
import { sqliteSnapshot } from './snapshot.ts'

/** Animals never change, so those of an interrupted copy stay. Everything else may have changed since. */
const CHANGING_TABLES = ['api_keys', 'idempotency', 'deprecated_calls']
const USED_TABLES = ['pets', ...CHANGING_TABLES]

export function openSqliteCopyTarget(path: string, environment: Environment): CopyTarget {
  explained(
    reason => `The database ${path} cannot be opened: ${reason}.`,
    () => refuseUsedFile(path, environment),
  )
  const database = openSqliteFile(path, environment, true)
  // Held until closed or until the process ends, so no service and no second copy can intervene.
  database.run('PRAGMA locking_mode = EXCLUSIVE')
  const inTransaction = <T>(work: () => T): T => database.transaction(work).immediate()

  return {
    begin: source => {
      try {
        return inTransaction(() => begin(database, path, source))
      } catch (error) {
        throw isBusy(error) ? targetInUse(path, error) : error
      }
    },
    add: adding(database),
    snapshot: () => sqliteSnapshot(database, () => {}),
    clear: () => inTransaction(() => clear(database, ...USED_TABLES)),
    finish: lastId =>
      inTransaction(() => {
        database.run("DELETE FROM sqlite_sequence WHERE name = 'pets'")
        database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)", [lastId])
        database.run('DELETE FROM meta WHERE name = ?', [UNFINISHED_COPY])
      }),
    close: () => database.close(),
  }
}

/** Runs before the file is opened for writing: a refused database does not even get a newer schema. */
function refuseUsedFile(path: string, environment: Environment): void {
  if (!existsSync(path)) return
  inspect(path, environment)
  reading(path, database => refuseUsed(database, path))
}

function refuseUsed(database: Database, path: string): void {
  const holds = (rows: string): boolean =>
    singleValue(database, `SELECT EXISTS (SELECT 1 FROM ${rows})`) !== 0n
  const isUnfinished = hasTable(database, 'meta') && holds(`meta WHERE name = '${UNFINISHED_COPY}'`)
  const isUsed = [...USED_TABLES, 'sqlite_sequence'].some(table => hasTable(database, table) && holds(table))
  if (isUsed && !isUnfinished) throw targetNotEmpty(path)
}

function begin(database: Database, path: string, { name, cursorSecret }: CopySource): bigint {
  refuseUsed(database, path)
  const isSameSource =
    singleValue(database, "SELECT value FROM meta WHERE name = 'cursor_secret'") === cursorSecret
  clear(database, ...(isSameSource ? CHANGING_TABLES : USED_TABLES))
  const set = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)')
  set.run(UNFINISHED_COPY, name)
  set.run('cursor_secret', cursorSecret)
  set.finalize()
  return singleValue(database, 'SELECT coalesce(max(id), 0) FROM pets') as bigint
}

function clear(database: Database, ...tables: readonly string[]): void {
  for (const table of tables) database.run(`DELETE FROM ${table}`)
}

function adding(database: Database): CopyTarget['add'] {
  const insertPet = database.prepare('INSERT INTO pets (id, name, category_id, status) VALUES (?, ?, ?, ?)')
  const insertKey = database.prepare(
    `INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at, revoked_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertRequest = database.prepare(
    'INSERT INTO idempotency (key_id, key, pet_id, created_at) VALUES (?, ?, ?, ?)',
  )
  const insertCalls = database.prepare(
    'INSERT INTO deprecated_calls (key_id, operation, calls, last_at) VALUES (?, ?, ?, ?)',
  )
  const each =
    <T>(insert: (record: T) => void) =>
    (batch: readonly T[]): void =>
      database.transaction(() => batch.forEach(insert)).immediate()

  return {
    pets: each(({ id, name, categoryId, status }) => void insertPet.run(id, name, categoryId, status)),
    keys: each(
      ({ id, name, hint, hash, createdAt, expiresAt, revokedAt, lastUsedAt }) =>
        void insertKey.run(
          ...[id, name, hint, hash],
          ...[createdAt, expiresAt, revokedAt, lastUsedAt].map(timeOf),
        ),
    ),
    requests: each(
      ({ keyId, key, pet, createdAt }) => void insertRequest.run(keyId, key, pet.id, timeOf(createdAt)),
    ),
    deprecatedCalls: each(
      ({ keyId, operation, calls, lastAt }) =>
        void insertCalls.run(keyId, operation, BigInt(calls), timeOf(lastAt)),
    ),
  }
}

const timeOf = (date: Date | undefined): bigint | null => (date === undefined ? null : BigInt(date.getTime()))
