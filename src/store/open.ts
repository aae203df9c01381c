import type { Environment } from '../environment.ts'
import { OperatorError } from '../operator-error.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

const SQLITE = 'sqlite:'

/** Opens the store that a DATABASE_URL names: the one place that knows every engine. */
export function openStore(databaseUrl: string, environment: Environment): Promise<Store> {
  if (databaseUrl.startsWith(SQLITE))
    return Promise.resolve(openSqliteStore(databaseUrl.slice(SQLITE.length), environment))
  throw new OperatorError('DATABASE_URL must be "sqlite:" followed by the path of a file.')
}
