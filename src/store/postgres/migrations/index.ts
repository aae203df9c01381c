import type pg from 'pg'
import type { Migration } from '../../migration.ts'
import animals from './0001-animals.sql' with { type: 'text' }
import idempotency from './0002-idempotency.sql' with { type: 'text' }
import apiKeys from './0003-api-keys.sql' with { type: 'text' }
import deprecatedCalls from './0004-deprecated-calls.sql' with { type: 'text' }
import { hashPostgresKeys } from './0005-idempotency-hashes.ts'
import counterIndex from './0006-counter-index.sql' with { type: 'text' }

export interface PostgresMigration extends Migration<(client: pg.ClientBase) => Promise<void>> {
  /** The oldest schema whose releases can use the result. Lower than this step's own version if it only adds. */
  readonly readableFrom?: number
}

export const MIGRATIONS: readonly PostgresMigration[] = [
  { name: '0001-animals', step: animals },
  { name: '0002-idempotency', step: idempotency },
  { name: '0003-api-keys', step: apiKeys },
  { name: '0004-deprecated-calls', step: deprecatedCalls },
  { name: '0005-idempotency-hashes', step: hashPostgresKeys },
  { name: '0006-counter-index', step: counterIndex, readableFrom: 5 },
]
