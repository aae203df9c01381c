import type { Environment } from '../environment.ts'
import type { Observe } from '../observability/events.ts'
import { OperatorError } from '../operator-error.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

const SQLITE = 'sqlite:'
const POSTGRES = /^postgres(?:ql)?:\/\//

/** Opens the store that a DATABASE_URL names: the one place that knows every engine. */
export async function openStore(
  databaseUrl: string,
  environment: Environment,
  observe: Observe = () => {},
): Promise<Store> {
  if (databaseUrl.startsWith(SQLITE))
    return openSqliteStore(databaseUrl.slice(SQLITE.length), environment, observe)
  if (POSTGRES.test(databaseUrl)) {
    // Loaded only where it is used: it would double the time to start on the embedded store.
    const { openPostgresStore } = await import('./postgres/postgres-store.ts')
    return openPostgresStore(databaseUrl, environment, observe)
  }
  throw new OperatorError('DATABASE_URL must start with sqlite: or postgres://.')
}

/** A DATABASE_URL as people may see it: without user, password and parameters. */
export const publicNameOf = (databaseUrl: string): string =>
  databaseUrl.replace(/^(postgres(?:ql)?:\/\/)(?:[^/]*@)?([^?]*).*$/s, '$1$2')
