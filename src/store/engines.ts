import type { Engine, StoreLocation } from './engine.ts'

/** Returns the engine of a database. The only file that imports both, each on first use: a driver takes time to load. */
export async function engineOf(location: StoreLocation): Promise<Engine> {
  const { database, environment } = location
  if (database.engine === 'sqlite') {
    const { sqliteEngine } = await import('./sqlite/engine.ts')
    return sqliteEngine({ database, environment })
  }
  const { postgresEngine } = await import('./postgres/engine.ts')
  return postgresEngine({ database, environment })
}
