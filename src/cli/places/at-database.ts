import { commandName } from '../../command-name.ts'
import { loadStoreConfig, type StoreConfig } from '../../config/load.ts'
import type { Flags } from '../../config/read.ts'
import { NoDatabase } from '../../store/no-database.ts'
import { noteOtherDatabase, type RunningService, serviceHere } from './same-database.ts'

/**
 * Works on the configured database: says what to do if there is none, and if the service uses another one.
 * `offersCreate`: the command has a flag that creates the database.
 */
export async function atDatabase<T>(
  flags: Flags,
  work: (config: StoreConfig) => Promise<T>,
  { offersCreate = false }: { readonly offersCreate?: boolean } = {},
): Promise<T> {
  const config = loadStoreConfig(flags)
  try {
    const result = await work(config)
    await noteOtherDatabase(config, flags)
    return result
  } catch (error) {
    if (!(error instanceof NoDatabase)) throw error
    throw new NoDatabase(withAdvice(error, await serviceHere(flags), offersCreate), { cause: error })
  }
}

export function withAdvice(
  { message }: NoDatabase,
  service: RunningService | undefined,
  offersCreate = false,
): string {
  const elsewhere = service
    ? ` The ${service.environment} service at ${service.url} has its database elsewhere.`
    : ''
  const make = offersCreate ? '--create creates a new one' : `"${commandName()} serve" creates a new one`
  return `${message}${elsewhere} Run this in the folder of the service, or name its database with --database-url; ${make}.`
}
