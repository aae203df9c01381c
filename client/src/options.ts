import { DEFAULT_BASE_URL, type OPERATIONS } from './contract.generated.ts'

export type OperationId = keyof typeof OPERATIONS

export interface Deprecation {
  operation: OperationId
  since: Date
  /** When the operation is to be removed, if that is announced. */
  sunset: Date | undefined
}

export interface Patience {
  /** Milliseconds that one attempt may take, its body included. Default 10 000. */
  attemptTimeoutMs?: number | undefined
  /** Milliseconds that one call may take, all attempts and waits included. Default 60 000. */
  timeoutMs?: number | undefined
  /** How often a failed attempt is repeated. Default 4. */
  maxRetries?: number | undefined
}

export interface PetstoreOptions extends Patience {
  /** Default: the environment variable PETSTORE_API_KEY. */
  apiKey?: string | undefined
  /** Where the service is, version included: `https://pets.example.org/v1`. Default: PETSTORE_BASE_URL, else this machine. */
  baseUrl?: string | undefined
  /** Told once for each deprecated operation that is called. */
  onDeprecated?: ((deprecation: Deprecation) => void) | undefined
  /** Takes the place of the runtime's own fetch. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

export interface RequestOptions extends Patience {
  /** Ends the call, waits included. */
  signal?: AbortSignal | undefined
}

export interface CreateOptions extends RequestOptions {
  /** Default: a new one for each call. Give your own to repeat a create safely after a restart. */
  idempotencyKey?: string | undefined
}

const variables = (): Partial<Record<string, string>> =>
  (globalThis as { process?: { env?: Partial<Record<string, string>> } }).process?.env ?? {}

/** The key never stands in a message: it would end in logs. */
export function credentialsOf({ apiKey, baseUrl }: PetstoreOptions): { apiKey: string; baseUrl: string } {
  const key = apiKey || variables().PETSTORE_API_KEY
  if (!key) throw new TypeError('An API key is needed: pass apiKey, or set PETSTORE_API_KEY.')
  if (!/^[!-~]+$/.test(key)) throw new TypeError('The API key holds a character that no API key has.')
  const url = new URL(baseUrl || variables().PETSTORE_BASE_URL || DEFAULT_BASE_URL)
  if (!/^https?:$/.test(url.protocol) || url.username || url.search || url.hash)
    throw new TypeError('baseUrl must be a plain http or https address, such as https://pets.example.org/v1.')
  return { apiKey: key, baseUrl: url.href.replace(/\/+$/, '') }
}
