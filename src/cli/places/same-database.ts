import { type AddressConfig, loadAddress, type StoreConfig } from '../../config/load.ts'
import type { Flags } from '../../config/read.ts'
import { SETTINGS } from '../../config/settings.ts'
import { givenFor } from '../../config/variables.ts'
import { STORE_HEADER } from '../../http/public-endpoints.ts'
import { OperatorError } from '../../operator-error.ts'
import { locationOf } from '../../store/database.ts'
import { engineOf } from '../../store/engines.ts'
import { environmentOfMark } from '../../store/mark.ts'
import { askLocal, localUrl } from './ask.ts'

export interface RunningService {
  readonly url: string
  readonly environment: string
  readonly mark: string
}

/** The petstore at this address, if there is one. */
export async function runningService(address: AddressConfig): Promise<RunningService | undefined> {
  if (address.port === 0) return undefined
  const url = localUrl(address)
  const answer = await askLocal(`${url}/livez`)
  const mark = typeof answer === 'string' ? null : answer.headers.get(STORE_HEADER)
  return mark === null ? undefined : { url, mark, environment: environmentOfMark(mark) }
}

/** The petstore at the configured address. A command that needs no address does not fail on an invalid one. */
export async function serviceHere(flags: Flags): Promise<RunningService | undefined> {
  try {
    return await runningService(loadAddress(flags))
  } catch (error) {
    if (error instanceof OperatorError) return undefined
    throw error
  }
}

/** A sentence if the service at the configured address uses a different database. */
export async function otherDatabase(
  config: StoreConfig,
  service: RunningService,
): Promise<string | undefined> {
  if (service.mark === (await engineOf(config).identify())) return undefined
  const here = locationOf(config.database)
  const difference =
    service.environment === config.environment
      ? `uses a different database than this one, ${here}`
      : `is ${service.environment}; this is ${config.environment}, in ${here}`
  return `The service at ${service.url} ${difference}. To work on its database, give this command the folder, DATABASE_URL and PETSTORE_ENV that the service has.`
}

/** Warns about a possibly wrong database, unless the other environment was requested. */
export async function noteOtherDatabase(config: StoreConfig, flags: Flags): Promise<void> {
  const service = await serviceHere(flags)
  if (service === undefined) return
  const chose = givenFor('environment', SETTINGS.environment, flags).from !== 'default'
  if (chose && service.environment !== config.environment) return
  const sentence = await otherDatabase(config, service)
  if (sentence !== undefined) process.stderr.write(`petstore: Note: ${sentence}\n`)
}
