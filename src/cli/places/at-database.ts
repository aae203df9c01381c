import { commandName } from '../../command-name.ts'
import { loadStoreConfig, type StoreConfig } from '../../config/load.ts'
import type { Flags } from '../../config/read.ts'
import { NoDatabase } from '../../store/no-database.ts'
import { noteOtherDatabase, type RunningService, serviceHere } from './same-database.ts'

interface Reach {
  /** Whether the command has a flag that creates the database. */
  readonly offersCreate?: boolean
}

/** Works on the database of the settings: says what to do where there is none, and when it is not the service's. */
export async function atDatabase<T>(
  flags: Flags,
  work: (config: StoreConfig) => Promise<T>,
  { offersCreate = false }: Reach = {},
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
