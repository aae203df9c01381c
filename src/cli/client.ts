import { ConnectionError, Petstore, PetstoreError } from '../../client/src/index.ts'
import { commandName } from '../command-name.ts'
import { readSettings } from '../config/load.ts'
import { ADDRESS_SETTINGS, CLIENT_SETTINGS, SETTINGS } from '../config/settings.ts'
import { VERSION_PREFIX } from '../contract/servers.ts'
import { environmentOfKey } from '../keys/api-key.ts'
import { printable } from '../observability/log.ts'
import { type Exit, InvalidInput, OperatorError } from '../operator-error.ts'
import { flagsOf, type Options } from './options.ts'
import { localUrl } from './ready.ts'
import { note } from './terminal.ts'

const ROWS = { ...CLIENT_SETTINGS, stagingBaseUrl: SETTINGS.stagingBaseUrl }

/** The given server, or the service that the same settings start on this machine. */
export function clientConfig(options: Options): { readonly baseUrl: string; readonly apiKey: string } {
  const flags = flagsOf(options)
  const { baseUrl, stagingBaseUrl, apiKey } = readSettings(ROWS, flags)
  if (apiKey === undefined)
    throw new InvalidInput(
      `PETSTORE_API_KEY (--api-key) is not set. Create a key: ${commandName()} keys create --name NAME`,
    )
  // A key is valid in one environment only, so it tells which of the two servers is meant.
  const isStaging = flags.baseUrl === undefined && environmentOfKey(apiKey) === 'staging'
  const named = (isStaging ? stagingBaseUrl : undefined) ?? baseUrl
  return { baseUrl: named ?? localUrl(readSettings(ADDRESS_SETTINGS, {})) + VERSION_PREFIX, apiKey }
}

/** Runs the work with a client, and turns its errors into a one-line message and an exit code. */
export async function withClient<T>(options: Options, work: (client: Petstore) => Promise<T>): Promise<T> {
  let hasSaid = false
  const client = new Petstore({
    ...clientConfig(options),
    onRetry: ({ error }) => {
      const text = error instanceof ConnectionError ? 'There is no connection.' : printable(error.message)
      if (!hasSaid) note(`petstore: ${text} Trying again.`)
      hasSaid = true
    },
    // The client warns of a deprecated operation. A script has no use for that.
    ...(!process.stderr.isTTY && { onDeprecated: () => {} }),
  })
  try {
    return await work(client)
  } catch (error) {
    throw error instanceof PetstoreError ? operatorErrorOf(error) : error
  }
}

function exitFor({ code, status, retryable }: PetstoreError): Exit {
  if (retryable) return 'unavailable'
  if (status === 401) return 'unauthorised'
  // A missing route is a failure, because it means a wrong server and says nothing about the animal.
  if (code === 'pet_not_found') return 'missing'
  return status === 400 || status === 413 || status === 422 ? 'invalid' : 'failed'
}

/** One line with the code, the message and the request id, then what the command adds, and the exit code. */
export function operatorErrorOf(error: PetstoreError, added = ''): OperatorError {
  const { cause } = error
  // The reason why the command itself aborted the call.
  if (cause instanceof OperatorError) return new OperatorError(cause.message + added, cause)
  const requestId = error.requestId ? ` (request id ${error.requestId})` : ''
  const text = `${error.code}: ${error.message}${adviceFor(error)}${requestId}`
  return new OperatorError(printable(text) + added, { cause: error, exit: exitFor(error) })
}

function adviceFor(error: PetstoreError): string {
  if (!(error instanceof ConnectionError) || error.outcomeUnknown) return ''
  // Among failures without a response, only that of an untrusted certificate is permanent.
  return error.retryable
    ? ' Is it running?'
    : " Set NODE_EXTRA_CA_CERTS to a file with its issuer's certificate (PEM), or use the host name that it is for."
}
