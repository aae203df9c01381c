import type { Database } from 'bun:sqlite'
import type { Environment } from '../../../contract/servers.ts'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { explained } from '../../../operator-error.ts'
import { noFile } from '../../no-database.ts'
import {
  DEPRECATED_COLUMNS,
  type DeprecatedRow,
  deprecatedOf,
  KEY_COLUMNS,
  PET_COLUMNS,
  type PetRow,
  petOf,
  type RequestRow,
  rememberedOf,
  type StoredKeyRow,
  storedKeyOf,
} from '../../rows.ts'
import { type RequestOrder, snapshotOf } from '../../snapshot.ts'
import { BATCH_SIZE, type Snapshot } from '../../transfer.ts'
import { sourceTooOld } from '../../unfinished-copy.ts'
import { singleValue } from '../file/database.ts'
import { DeadMan } from '../file/dead-man.ts'
import { inspect } from '../file/inspect.ts'
import { openReading } from '../file/open-reading.ts'
import { MIGRATIONS } from '../migrations/index.ts'
import { appliedVersion } from '../migrations/migrate.ts'
import { refuseUnfinishedFile } from './refuse-unfinished-copy.ts'

const ALL_KEYS = `SELECT ${KEY_COLUMNS}, hash FROM api_keys ORDER BY id`
const ALL_CALLS = `SELECT ${DEPRECATED_COLUMNS} FROM deprecated_calls ORDER BY key_id, operation`
const REQUESTS = 'idempotency JOIN pets ON pets.id = pet_id'
const LAST_ID = `SELECT max(coalesce((SELECT max(id) FROM pets), 0),
                            coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'pets'), 0))`

/** Reads a database through a read-only connection. */
export const openSqliteSnapshot = (path: string, environment: Environment): Snapshot =>
  explained(
    reason => `The database ${path} cannot be read: ${reason}.`,
    () => asOwnerOf(path, () => open(path, environment)),
  )

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

export function sqliteSnapshot(database: Database, close: () => void): Snapshot {
  const deadMan = new DeadMan()
  const count = (from: string): number => Number(singleValue(database, `SELECT count(*) FROM ${from}`))
  return database.transaction((): Snapshot => {
    const lastId = singleValue(database, LAST_ID) as bigint
    return snapshotOf({
      cursorSecret: String(singleValue(database, "SELECT value FROM meta WHERE name = 'cursor_secret'")),
      lastId,
      keys: database.query<StoredKeyRow, []>(ALL_KEYS).all().map(storedKeyOf),
      deprecatedCalls: database.query<DeprecatedRow, []>(ALL_CALLS).all().map(deprecatedOf),
      petCount: count('pets'),
      requestCount: count(REQUESTS),
      petsAfter: after => deadMan.during(() => petsAfter(database, after, lastId)).map(petOf),
      requestsAfter: after => deadMan.during(() => requestsAfter(database, after, lastId)).map(rememberedOf),
      close,
    })
  })()
}

const petsAfter = (database: Database, after: bigint, lastId: bigint): PetRow[] =>
  database
    .query<PetRow, [bigint, bigint, number]>(
      `SELECT ${PET_COLUMNS} FROM pets WHERE id > ? AND id <= ? ORDER BY id LIMIT ?`,
    )
    .all(after, lastId, BATCH_SIZE)

const requestsAfter = (database: Database, after: RequestOrder, lastId: bigint): RequestRow[] =>
  database
    .query<RequestRow, [bigint, string, string, bigint, number]>(
      `SELECT key_id, key, created_at, pets.id, name, category_id, status FROM ${REQUESTS}
       WHERE (created_at, key_id, key) > (?, ?, ?) AND pet_id <= ? ORDER BY created_at, key_id, key LIMIT ?`,
    )
    .all(BigInt(after.createdAt.getTime()), after.keyId, after.key, lastId, BATCH_SIZE)
