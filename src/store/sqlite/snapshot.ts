import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import type { Pet } from '../../contract/pet.ts'
import type { Environment } from '../../environment.ts'
import { asOwnerOf } from '../../files/act-as-owner.ts'
import { OperatorError } from '../../operator-error.ts'
import {
  DEPRECATED_COLUMNS,
  type DeprecatedRow,
  deprecatedOf,
  KEY_COLUMNS,
  type KeyRow,
  keyOf,
  PET_COLUMNS,
  type PetRow,
  petOf,
} from '../rows.ts'
import type { DeprecatedCalls } from '../store.ts'
import { BATCH_SIZE, type RememberedRequest, type Snapshot, type StoredKey } from '../transfer.ts'
import { sourceTooOld } from '../unfinished-copy.ts'
import { singleValue } from './database.ts'
import { inspect } from './inspect.ts'
import { appliedVersion } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { refuseUnfinishedCopy } from './refuse-unfinished-copy.ts'

interface RequestRow extends PetRow {
  key_id: string
  key: string
  created_at: bigint
}

const REQUESTS = 'idempotency JOIN pets ON pets.id = pet_id'
const LAST_ID = `SELECT max(coalesce((SELECT max(id) FROM pets), 0),
                            coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'pets'), 0))`

/** Reads a database that stays as it is: the file is opened for reading only. */
export function openSqliteSnapshot(path: string, environment: Environment): Snapshot {
  try {
    return asOwnerOf(path, () => open(path, environment))
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The database ${path} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

function open(path: string, environment: Environment): Snapshot {
  if (!existsSync(path)) throw new OperatorError(`There is no database ${path}.`)
  inspect(path, environment)
  const database = new Database(path, { readonly: true, safeIntegers: true, strict: true })
  try {
    if (appliedVersion(database) < MIGRATIONS.length) throw sourceTooOld(path)
    refuseUnfinishedCopy(database, path)
    return sqliteSnapshot(database, () => database.close())
  } catch (error) {
    database.close()
    throw error
  }
}

/** In WAL mode a read transaction sees the state at its first read, and nobody waits for it. */
export function sqliteSnapshot(database: Database, afterwards: () => void): Snapshot {
  database.run('BEGIN')
  const count = (from: string): number => Number(singleValue(database, `SELECT count(*) FROM ${from}`))
  return {
    cursorSecret: String(singleValue(database, "SELECT value FROM meta WHERE name = 'cursor_secret'")),
    lastId: singleValue(database, LAST_ID) as bigint,
    counts: {
      pets: count('pets'),
      keys: count('api_keys'),
      requests: count(REQUESTS),
      deprecatedCalls: count('deprecated_calls'),
    },
    batches: {
      pets: after => readPets(database, after ?? 0n),
      keys: () => readKeys(database),
      requests: () => readRequests(database),
      deprecatedCalls: () => readDeprecatedCalls(database),
    },
    close: () => {
      database.run('COMMIT')
      afterwards()
    },
  }
}

async function* readPets(database: Database, start: bigint): AsyncGenerator<Pet[]> {
  const page = database.query<PetRow, [bigint, number]>(
    `SELECT ${PET_COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`,
  )
  for (let after = start; ; ) {
    const pets = page.all(after, BATCH_SIZE).map(petOf)
    const last = pets.at(-1)
    if (last === undefined) return
    yield pets
    after = last.id
  }
}

async function* readKeys(database: Database): AsyncGenerator<StoredKey[]> {
  const page = database.query<KeyRow & { hash: string }, [string, number]>(
    `SELECT ${KEY_COLUMNS}, hash FROM api_keys WHERE id > ? ORDER BY id LIMIT ?`,
  )
  for (let after = ''; ; ) {
    const keys = page.all(after, BATCH_SIZE).map(row => ({ ...keyOf(row), hash: row.hash }))
    const last = keys.at(-1)
    if (last === undefined) return
    yield keys
    after = last.id
  }
}

async function* readRequests(database: Database): AsyncGenerator<RememberedRequest[]> {
  const page = database.query<RequestRow, [string, string, number]>(
    `SELECT key_id, key, created_at, pets.id, name, category_id, status FROM ${REQUESTS}
     WHERE (key_id, key) > (?, ?) ORDER BY key_id, key LIMIT ?`,
  )
  let after = { keyId: '', key: '' }
  for (;;) {
    const requests = page.all(after.keyId, after.key, BATCH_SIZE).map(requestOf)
    const last = requests.at(-1)
    if (last === undefined) return
    yield requests
    after = last
  }
}

/** All at once: there are no more of them than keys. */
async function* readDeprecatedCalls(database: Database): AsyncGenerator<DeprecatedCalls[]> {
  const all = database.query<DeprecatedRow, []>(
    `SELECT ${DEPRECATED_COLUMNS} FROM deprecated_calls ORDER BY key_id, operation`,
  )
  const calls = all.all().map(deprecatedOf)
  if (calls.length > 0) yield calls
}

const requestOf = (row: RequestRow): RememberedRequest => ({
  keyId: row.key_id,
  key: row.key,
  pet: petOf(row),
  createdAt: new Date(Number(row.created_at)),
})
