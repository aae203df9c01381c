import type { Database } from 'bun:sqlite'
import animals from './0001-animals.sql' with { type: 'text' }
import idempotency from './0002-idempotency.sql' with { type: 'text' }
import apiKeys from './0003-api-keys.sql' with { type: 'text' }
import deprecatedCalls from './0004-deprecated-calls.sql' with { type: 'text' }
import { hashIdempotencyKeys } from './0005-idempotency-hashes.ts'

export interface Migration {
  readonly name: string
  /** Statements, or code where they would not do; both run in one transaction. */
  readonly step: string | ((database: Database) => void)
}

/** In order of their version, which is their place in the list. Forward only: never change one that was released. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-animals', step: animals },
  { name: '0002-idempotency', step: idempotency },
  { name: '0003-api-keys', step: apiKeys },
  { name: '0004-deprecated-calls', step: deprecatedCalls },
  { name: '0005-idempotency-hashes', step: hashIdempotencyKeys },
]
