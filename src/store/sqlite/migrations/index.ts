import type { Database } from 'bun:sqlite'
import type { Migration } from '../../migration.ts'
import animals from './0001-animals.sql' with { type: 'text' }
import idempotency from './0002-idempotency.sql' with { type: 'text' }
import apiKeys from './0003-api-keys.sql' with { type: 'text' }
import deprecatedCalls from './0004-deprecated-calls.sql' with { type: 'text' }
import { hashSqliteKeys } from './0005-idempotency-hashes.ts'

type SqliteMigration = Migration<(database: Database) => void>

export const MIGRATIONS: readonly SqliteMigration[] = [
  { name: '0001-animals', step: animals },
  { name: '0002-idempotency', step: idempotency },
  { name: '0003-api-keys', step: apiKeys },
  { name: '0004-deprecated-calls', step: deprecatedCalls },
  { name: '0005-idempotency-hashes', step: hashSqliteKeys },
]
