import { type Config, type Flags, settingsInForce } from '../../config/load.ts'
import { STORE_HEADER } from '../../http/public-endpoints.ts'
import { environmentOfMark } from '../../store/mark.ts'
import { identifyStore, placeOf } from '../../store/open.ts'
import { askLocal, localUrl } from './ask.ts'

export interface RunningService {
  readonly url: string
  readonly environment: string
  readonly mark: string
}

/** The petstore that answers at the address of the settings, if one does. */
export async function runningService(config: Config): Promise<RunningService | undefined> {
  if (config.port === 0) return undefined
  const url = localUrl(config)
  const answer = await askLocal(`${url}/livez`)
  const mark = typeof answer === 'string' ? null : answer.headers.get(STORE_HEADER)
  return mark === null ? undefined : { url, mark, environment: environmentOfMark(mark) }
}

/** A sentence, where the service at the address of the settings uses another database than they name. */
export async function otherDatabase(
  { databaseUrl, environment }: Config,
  service: RunningService,
): Promise<string | undefined> {
  if (service.mark === (await identifyStore(databaseUrl, environment))) return undefined
  const here = placeOf(databaseUrl)
  const difference =
    service.environment === environment
      ? `uses another database than this, ${here}`
      : `is ${service.environment}; this is ${environment}, in ${here}`
  return `The service at ${service.url} ${difference}. To work on its database, give this command the folder, DATABASE_URL and PETSTORE_ENV that the service has.`
}

/** Tells a person who may have the wrong database in hand. Not one who asked for the other environment. */
export async function noteOtherDatabase(config: Config, flags: Flags): Promise<void> {
  const service = await runningService(config)
  if (service === undefined) return
  const chose = settingsInForce(flags).some(({ name, from }) => name === 'environment' && from !== 'default')
  if (chose && service.environment !== config.environment) return
  const sentence = await otherDatabase(config, service)
  if (sentence !== undefined) process.stderr.write(`petstore: Note: ${sentence}\n`)
}
