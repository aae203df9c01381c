import type { Database } from 'bun:sqlite'
import type { PetStatus } from '../../../contract/pet.ts'
import { DEPRECATED_COLUMNS, KEY_COLUMNS } from '../../rows.ts'
import { singleValue } from '../file/database.ts'

export type ReadQueries = ReturnType<typeof readQueries>

/** Rows as JSON, with every int64 as text: passing one string to another thread is much faster than passing rows. */
type Rows = string

const PETS = 'SELECT CAST(id AS TEXT) AS id, name, CAST(category_id AS TEXT) AS category_id, status FROM pets'

/** All reads of a service. In WAL mode they never wait for a write. */
export function readQueries(database: Database) {
  const page = database.query<object, [bigint, number]>(`${PETS} WHERE pets.id > ? ORDER BY pets.id LIMIT ?`)
  const pageOfStatus = database.query<object, [PetStatus, bigint, number]>(
    `${PETS} WHERE status = ? AND pets.id > ? ORDER BY pets.id LIMIT ?`,
  )
  const byId = database.query<object, [bigint]>(`${PETS} WHERE pets.id = ?`)
  const key = database.query<object, [string]>(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE hash = ?`)
  const deprecatedCalls = database.query<object, []>(
    `SELECT ${DEPRECATED_COLUMNS} FROM deprecated_calls ORDER BY last_at DESC, key_id`,
  )
  return {
    listPets: (after: string, count: number, status: PetStatus | undefined): Rows =>
      JSON.stringify(
        status === undefined
          ? page.all(BigInt(after), count)
          : pageOfStatus.all(status, BigInt(after), count),
      ),
    findPet: (id: string): Rows => JSON.stringify(byId.all(BigInt(id))),
    findKey: (hash: string): Rows => exactJson(key.all(hash)),
    listDeprecatedCalls: (): Rows => exactJson(deprecatedCalls.all()),
    /** Changes when another program replaces the contents, and never otherwise while the service runs. */
    schemaVersion: (): string => String(singleValue(database, 'PRAGMA schema_version')),
    ping: (): string => String(singleValue(database, 'SELECT count(*) FROM meta')),
  }
}

const exactJson = (rows: readonly object[]): Rows =>
  JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
