import { commandName } from '../../command-name.ts'
import { type Config, type Flags, loadConfig } from '../../config/load.ts'
import { NoDatabase } from '../../store/no-database.ts'
import { noteOtherDatabase, runningService } from './same-database.ts'

export interface Reach {
  /** Whether the command could make a database, if it were told to. */
  readonly offersCreate?: boolean
}

/** Works on the database of the settings: says what to do where there is none, and when it is not the service's. */
export async function atDatabase<T>(
  flags: Flags,
  work: (config: Config) => Promise<T>,
  { offersCreate = false }: Reach = {},
): Promise<T> {
  const config = loadConfig(flags)
  try {
    const result = await work(config)
    await noteOtherDatabase(config, flags)
    return result
  } catch (error) {
    if (!(error instanceof NoDatabase)) throw error
    throw new NoDatabase(await withAdvice(error, config, offersCreate), { cause: error })
  }
}

export async function withAdvice(
  { message }: NoDatabase,
  config: Config,
  offersCreate = false,
): Promise<string> {
  const service = await runningService(config)
  const elsewhere = service
    ? ` The ${service.environment} service at ${service.url} has its database elsewhere.`
    : ''
  const make = offersCreate ? '--create makes a new one' : `"${commandName()} serve" makes a new one`
  return `${message}${elsewhere} Run this in the folder of the service, or name its database with --database-url; ${make}.`
}
