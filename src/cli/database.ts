import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { commandName } from '../command-name.ts'
import { loadStoreConfig, type StoreConfig } from '../config/load.ts'
import { STORE_SETTINGS } from '../config/settings.ts'
import { codeOf, messageOf, OperatorError } from '../operator-error.ts'
import { locationOf } from '../store/database.ts'
import type { Engine } from '../store/engine.ts'
import { engineOf } from '../store/engines.ts'
import { NoDatabase } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { note } from './terminal.ts'

export type Options = Readonly<Record<string, unknown>>

interface Place extends StoreConfig {
  /** The absolute path of the file, or the address. */
  readonly location: string
  readonly engine: Engine
}

export const withDatabase = (command: Command): Command => withSettings(command, STORE_SETTINGS)

/** Works on the configured database and says which one that is: the settings may name another one than was meant. */
export async function onDatabase<T>(
  options: Options,
  work: (place: Place) => Promise<T>,
  offersCreate = false,
): Promise<T> {
  const config = loadStoreConfig(flagsOf(options))
  const place = { ...config, location: locationOf(config.database), engine: engineOf(config) }
  try {
    return await work(place)
  } catch (error) {
    if (error instanceof NoDatabase) throw withAdvice(error, offersCreate)
    // Of the system, about a path: ENOTDIR, ELOOP, EACCES.
    if (error instanceof OperatorError || !/^E[A-Z]+$/.test(codeOf(error))) throw error
    throw new OperatorError(`The database ${place.location} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/** Opens the store for the duration of a command. `create` is undefined if the command has no such option. */
export const withStore = <T>(
  options: Options,
  work: (store: Store, place: Place) => Promise<T>,
  create?: boolean,
): Promise<T> =>
  onDatabase(
    options,
    async place => {
      const store = await place.engine.open({ create: create === true })
      try {
        sayDatabase(options, place)
        return await work(store, place)
      } finally {
        await store.close()
      }
    },
    create !== undefined,
  )

/** With --json it is a field of the result. */
export function sayDatabase({ json }: Options, { location, environment }: Place): void {
  if (json !== true) note(`Database of ${environment}: ${location}`)
}

function withAdvice({ message }: NoDatabase, offersCreate = false): NoDatabase {
  const make = offersCreate ? '--create creates a new one' : `"${commandName()} serve" creates a new one`
  return new NoDatabase(
    `${message} Run this in the folder of the service, or name its database with --database-url; ${make}.`,
  )
}

/** No command makes a folder for a file that it writes: the name may be mistyped. */
export function assertFolderOf(file: string): void {
  const folder = dirname(resolve(file))
  if (!existsSync(folder)) throw new OperatorError(`There is no folder ${folder}.`, { exit: 'missing' })
}
