import animals from './0001-animals.sql' with { type: 'text' }
import idempotency from './0002-idempotency.sql' with { type: 'text' }
import apiKeys from './0003-api-keys.sql' with { type: 'text' }
import deprecatedCalls from './0004-deprecated-calls.sql' with { type: 'text' }

/** In order of their version, which is their place in the list. Forward only: never change one that was released. */
export const MIGRATIONS: readonly { readonly name: string; readonly sql: string }[] = [
  { name: '0001-animals', sql: animals },
  { name: '0002-idempotency', sql: idempotency },
  { name: '0003-api-keys', sql: apiKeys },
  { name: '0004-deprecated-calls', sql: deprecatedCalls },
]
