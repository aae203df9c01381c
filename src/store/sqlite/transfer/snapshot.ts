import type { Database } from 'bun:sqlite'
import type { Pet } from '../../../contract/pet.ts'
import type { Environment } from '../../../contract/servers.ts'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { messageOf, OperatorError } from '../../../operator-error.ts'
import { noFile } from '../../no-database.ts'
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
} from '../../rows.ts'
import {
  BATCH_SIZE,
  inBatches,
  type RememberedRequest,
  type Snapshot,
  type StoredKey,
} from '../../transfer.ts'
import { sourceTooOld } from '../../unfinished-copy.ts'
import { singleValue } from '../file/database.ts'
import { DeadMan } from '../file/dead-man.ts'
import { inspect } from '../file/inspect.ts'
import { openReading } from '../file/open-reading.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { appliedVersion } from '../migrations/migrate.ts'
import { refuseUnfinishedFile } from './refuse-unfinished-copy.ts'

interface RequestRow extends PetRow {
  key_id: string
  key: string
  created_at: bigint
}

type StoredKeyRow = KeyRow & { hash: string }

const ALL_KEYS = `SELECT ${KEY_COLUMNS}, hash FROM api_keys ORDER BY id`
const ALL_CALLS = `SELECT ${DEPRECATED_COLUMNS} FROM deprecated_calls ORDER BY key_id, operation`
const REQUESTS = 'idempotency JOIN pets ON pets.id = pet_id'
const LAST_ID = `SELECT max(coalesce((SELECT max(id) FROM pets), 0),
                            coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'pets'), 0))`

/** Reads a database without changing it: the file is opened for reading only. */
export function openSqliteSnapshot(path: string, environment: Environment): Snapshot {
  try {
    return asOwnerOf(path, () => open(path, environment))
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The database ${path} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

function open(path: string, environment: Environment): Snapshot {
  if (inspect(path, environment) === 'nothing') throw noFile(path)
  const database = openReading(path)
  try {
    if (appliedVersion(database) < MIGRATIONS.length) throw sourceTooOld(path)
    refuseUnfinishedFile(database, path)
    return sqliteSnapshot(database, () => database.close())
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * One state of a database without holding it: a reader that is stopped would keep the log from being emptied. Animals never
 * change and requests point to theirs, so those of a moment are found by the highest identifier; the rest is small.
 */
export function sqliteSnapshot(database: Database, close: () => void): Snapshot {
  const deadMan = new DeadMan()
  const count = (from: string): number => Number(singleValue(database, `SELECT count(*) FROM ${from}`))
  return database.transaction((): Snapshot => {
    const lastId = singleValue(database, LAST_ID) as bigint
    const keys = database.query<StoredKeyRow, []>(ALL_KEYS).all().map(storedKeyOf)
    const deprecatedCalls = database.query<DeprecatedRow, []>(ALL_CALLS).all().map(deprecatedOf)
    return {
      cursorSecret: String(singleValue(database, "SELECT value FROM meta WHERE name = 'cursor_secret'")),
      lastId,
      counts: {
        pets: count('pets'),
        keys: keys.length,
        requests: count(REQUESTS),
        deprecatedCalls: deprecatedCalls.length,
      },
      batches: {
        pets: after => readPets(database, deadMan, after ?? 0n, lastId),
        keys: () => inBatches(keys),
        requests: () => readRequests(database, deadMan, lastId),
        deprecatedCalls: () => inBatches(deprecatedCalls),
      },
      close,
    }
  })()
}

async function* readPets(
  database: Database,
  deadMan: DeadMan,
  start: bigint,
  lastId: bigint,
): AsyncGenerator<Pet[]> {
  const page = database.query<PetRow, [bigint, bigint, number]>(
    `SELECT ${PET_COLUMNS} FROM pets WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
  )
  for (let after = start; ; ) {
    const pets = deadMan.during(() => page.all(after, lastId, BATCH_SIZE)).map(petOf)
    const last = pets.at(-1)
    if (last === undefined) return
    yield pets
    after = last.id
  }
}

/** From the oldest on: those that are forgotten meanwhile were read first, or are past their time. */
async function* readRequests(
  database: Database,
  deadMan: DeadMan,
  lastId: bigint,
): AsyncGenerator<RememberedRequest[]> {
  const page = database.query<RequestRow, [bigint, string, string, bigint, number]>(
    `SELECT key_id, key, created_at, pets.id, name, category_id, status FROM ${REQUESTS}
     WHERE (created_at, key_id, key) > (?, ?, ?) AND pet_id <= ? ORDER BY created_at, key_id, key LIMIT ?`,
  )
  let after = { createdAt: new Date(0), keyId: '', key: '' }
  for (;;) {
    const time = BigInt(after.createdAt.getTime())
    const requests = deadMan
      .during(() => page.all(time, after.keyId, after.key, lastId, BATCH_SIZE))
      .map(requestOf)
    const last = requests.at(-1)
    if (last === undefined) return
    yield requests
    after = last
  }
}

const storedKeyOf = (row: StoredKeyRow): StoredKey => ({ ...keyOf(row), hash: row.hash })

const requestOf = (row: RequestRow): RememberedRequest => ({
  keyId: row.key_id,
  key: row.key,
  pet: petOf(row),
  createdAt: new Date(Number(row.created_at)),
})
