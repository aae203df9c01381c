import type { Command } from 'commander'
import type { Petstore } from '../../../client/src/index.ts'
import { loadClientConfig, loadStoreConfig } from '../../config/load.ts'
import { CLIENT_SETTINGS, STORE_SETTINGS } from '../../config/setting-groups.ts'
import { SETTINGS } from '../../config/settings.ts'
import { givenFor } from '../../config/variables.ts'
import type { Pet } from '../../contract/pet.ts'
import { environmentOfKey } from '../../keys/api-key.ts'
import { InvalidInput } from '../../operator-error.ts'
import { engineOf } from '../../store/engines.ts'
import type { Stage } from '../../store/transfer.ts'
import { atDatabase } from '../places/at-database.ts'
import { flagsOf, withSettings } from '../settings-options.ts'
import { clientWith } from './client.ts'
import { asOperatorError } from './failures.ts'
import { httpStage } from './http-stage.ts'

export type PlaceOptions = Readonly<Record<string, unknown>>

interface AnimalSource {
  /** Undefined if unknown, as with a server. */
  readonly total: number | undefined
  readonly batches: AsyncIterable<readonly Pet[]>
  close(): Promise<void>
}

const OVER_HTTP = {
  apiKey: { ...CLIENT_SETTINGS.apiKey, about: 'API key for that server; prefer the variable' },
}

/** A database, or the server that --base-url names. Its variable does not count: services set it too. */
export function withPlace(command: Command): Command {
  withSettings(command, STORE_SETTINGS)
  command.option('--base-url <url>', 'server to work on instead, over HTTP, ending in /v1')
  return withSettings(command, OVER_HTTP)
}

/** Where the animals go, for the confirmation. A server does not reveal its environment; a staging key does. */
export function describePlace(options: PlaceOptions): {
  readonly name: string
  readonly isProduction: boolean
} {
  if (isServer(options)) {
    const { baseUrl, apiKey } = loadClientConfig(flagsOf(options))
    return { name: baseUrl, isProduction: environmentOfKey(apiKey) !== 'staging' }
  }
  const { database, environment } = loadStoreConfig(flagsOf(options))
  return {
    name: `${environment} (${database.publicName})`,
    isProduction: environment === 'production',
  }
}

/** Says which database is used if none was named, or if a server may have been meant. */
export function sayDatabase(options: PlaceOptions): void {
  if (isServer(options)) return
  const flags = flagsOf(options)
  const isGiven = (name: 'databaseUrl' | 'baseUrl') =>
    givenFor(name, SETTINGS[name], flags).from !== 'default'
  const mayMeanServer = isGiven('baseUrl')
  if (isGiven('databaseUrl') && !mayMeanServer) return
  const other = mayMeanServer ? ', not on PETSTORE_BASE_URL; --base-url works on a server' : ''
  process.stderr.write(`petstore: This works on the database of ${describePlace(options).name}${other}.\n`)
}

export async function stageIn(
  options: PlaceOptions,
  create: boolean,
  onSent: (animals: number) => void,
): Promise<Stage> {
  if (isServer(options)) return httpStage(clientOf(options), onSent)
  return atDatabase(flagsOf(options), config => engineOf(config).openStage(create), { offersCreate: true })
}

export async function animalsIn(options: PlaceOptions): Promise<AnimalSource> {
  if (isServer(options))
    return { total: undefined, batches: pagesOf(clientOf(options)), close: async () => {} }
  const snapshot = await atDatabase(flagsOf(options), config => engineOf(config).openSnapshot())
  return {
    total: snapshot.counts.pets,
    batches: snapshot.batches.pets(),
    close: async () => snapshot.close(),
  }
}

/** Whether a file is part of the database that the animals come from. */
export async function isFileOfStore(options: PlaceOptions, file: string): Promise<boolean> {
  return !isServer(options) && engineOf(loadStoreConfig(flagsOf(options))).owns(file)
}

function isServer({ baseUrl, databaseUrl }: PlaceOptions): boolean {
  if (baseUrl !== undefined && databaseUrl !== undefined)
    throw new InvalidInput('Give either --database-url or --base-url.')
  return baseUrl !== undefined
}

const clientOf = (options: PlaceOptions): Petstore => clientWith(loadClientConfig(flagsOf(options)))

async function* pagesOf(client: Petstore): AsyncGenerator<Pet[]> {
  try {
    for await (const { items } of client.pets.list().pages()) yield items as Pet[]
  } catch (error) {
    throw asOperatorError(error)
  }
}
