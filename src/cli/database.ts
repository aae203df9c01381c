import type { Command } from 'commander'
import { commandIn } from '../command-name.ts'
import { loadStoreConfig } from '../config/load.ts'
import { STORE_SETTINGS } from '../config/settings.ts'
import type { Environment } from '../contract/servers.ts'
import { locationOf } from '../store/database.ts'
import type { Engine, StoreLocation } from '../store/engine.ts'
import { engineOf } from '../store/engines.ts'
import { NoDatabase } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { flagsOf, type Options, withSettings } from './options.ts'
import { note } from './terminal.ts'

export interface ConfiguredDatabase extends StoreLocation {
  /** The file's absolute path, or the server's URL without secrets. */
  readonly location: string
  readonly engine: Engine
}

export const withDatabase = (command: Command): Command => withSettings(command, STORE_SETTINGS)

/** Works on the configured database, and turns its errors into one-line messages. */
export async function onDatabase<T>(
  options: Options,
  work: (configured: ConfiguredDatabase) => Promise<T>,
): Promise<T> {
  const config = loadStoreConfig(flagsOf(options))
  const location = locationOf(config.database)
  try {
    return await work({ ...config, location, engine: await engineOf(config) })
  } catch (error) {
    throw error instanceof NoDatabase ? noDatabase(error, config.environment) : error
  }
}

export const noDatabase = ({ message }: NoDatabase, environment: Environment): NoDatabase =>
  new NoDatabase(
    `${message} Put it back, run this in the service's folder, or set DATABASE_URL. For a new store, run "${commandIn(environment, 'keys create --create --name first')}".`,
  )

/** Opens the store for the duration of a command. */
export const withStore = <T>(
  options: Options,
  work: (store: Store, configured: ConfiguredDatabase) => Promise<T>,
): Promise<T> =>
  onDatabase(options, async configured => {
    const store = await configured.engine.open({ create: options.create === true })
    try {
      sayDatabase(options, configured)
      return await work(store, configured)
    } finally {
      await store.close()
    }
  })

/** Says which database is used, because the settings may select the wrong one. With --json it is a field of the result. */
export function sayDatabase({ json }: Options, { location, environment }: ConfiguredDatabase): void {
  if (json !== true) note(`Database of ${environment}: ${location}`)
}
