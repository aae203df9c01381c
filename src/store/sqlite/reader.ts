import type { Database } from 'bun:sqlite'
import type { Pet, PetStatus } from '../../contract/pet.ts'
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
import type { DeprecatedCalls, KeyRecord, PageQuery, StoredPage } from '../store.ts'
import type { Condition } from './file/condition.ts'

/** All reads, on a connection of their own: in WAL mode they never wait for a write. */
export function sqliteReader(database: Database, condition: Condition) {
  const reading = <T>(read: () => T): T => condition.reading(read)
  const page = database.query<PetRow, [bigint, number]>(
    `SELECT ${PET_COLUMNS} FROM pets WHERE id > ? ORDER BY id LIMIT ?`,
  )
  const pageOfStatus = database.query<PetRow, [PetStatus, bigint, number]>(
    `SELECT ${PET_COLUMNS} FROM pets WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
  )
  const byId = database.query<PetRow, [bigint]>(`SELECT ${PET_COLUMNS} FROM pets WHERE id = ?`)
  const key = database.query<KeyRow, [string]>(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE hash = ?`)
  const allKeys = database.query<KeyRow, []>(`SELECT ${KEY_COLUMNS} FROM api_keys ORDER BY created_at, id`)
  const deprecatedCalls = database.query<DeprecatedRow, []>(
    `SELECT ${DEPRECATED_COLUMNS} FROM deprecated_calls ORDER BY last_at DESC, key_id`,
  )

  const version = database.query<{ data_version: bigint }, []>('PRAGMA data_version')

  return {
    /** SQLite counts the commits of all other connections, those of other processes and of our own writer among them. */
    revision: (): number => reading(() => Number(version.get()?.data_version)),
    listPets: ({ after, limit, status }: PageQuery): Omit<StoredPage, 'revision'> =>
      reading(() => {
        // One more than asked for tells whether another page follows.
        const rows =
          status === undefined ? page.all(after, limit + 1) : pageOfStatus.all(status, after, limit + 1)
        return { pets: rows.slice(0, limit).map(petOf), more: rows.length > limit }
      }),
    findPet: (id: bigint): Pet | undefined =>
      reading(() => {
        const row = byId.get(id)
        return row === null ? undefined : petOf(row)
      }),
    findKey: (hash: string): KeyRecord | undefined =>
      reading(() => {
        const row = key.get(hash)
        return row === null ? undefined : keyOf(row)
      }),
    listKeys: (): KeyRecord[] => reading(() => allKeys.all().map(keyOf)),
    listDeprecatedCalls: (): DeprecatedCalls[] => reading(() => deprecatedCalls.all().map(deprecatedOf)),
  }
}
