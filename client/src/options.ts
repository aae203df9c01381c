import type { DEFAULT_SERVERS } from './contract.generated.ts'
import type { Int64Mode } from './int64.ts'
import type { Hooks, Logger, LogLevel } from './request/observe.ts'

/** The two environments of a petstore, each with its own animals and keys. */
export type Environment = keyof typeof DEFAULT_SERVERS

/** Options of a client and of a single call. */
export interface CommonOptions {
  /** Milliseconds that one attempt may take, its body included. Default 10 000. */
  attemptTimeoutMs?: number | undefined
  /** Milliseconds that one call may take, all attempts and waits included. Default 60 000. */
  timeoutMs?: number | undefined
  /** How often a failed attempt is repeated. Default 4. */
  maxRetries?: number | undefined
  /** Sent with each request, those of a call over those of the client. Those that the client itself sets are not replaced. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The options of a client. All are optional where the environment has the key. */
export interface PetstoreOptions<Mode extends Int64Mode = 'bigint'> extends CommonOptions, Hooks {
  /** Default: the environment variable PETSTORE_API_KEY. */
  apiKey?: string | undefined
  /**
   * Where the service is, version included: `https://pets.example.org/v1`. In a browser it may be relative: `/v1`. Default:
   * the environment variable PETSTORE_BASE_URL, for staging PETSTORE_STAGING_BASE_URL, else this machine.
   */
  baseUrl?: string | undefined
  /** Which default of the address to take. Default `production`. */
  environment?: Environment | undefined
  /** The type of every `id` and `categoryId` that the client gives. Default `bigint`. */
  int64?: Mode | undefined
  /** Takes the place of the runtime's own fetch. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Where messages go. Default `console`. */
  logger?: Logger | undefined
  /** How much is logged. Default `warn` with a logger, `error` without. */
  logLevel?: LogLevel | undefined
}

/** The options of one call. */
export interface RequestOptions extends CommonOptions {
  /** Ends the call, waits included. */
  signal?: AbortSignal | undefined
}

/** The options of a create. */
export interface CreateOptions extends RequestOptions {
  /** Default: a new one for each call. Give your own to repeat a create safely after a restart. */
  idempotencyKey?: string | undefined
}

/** The options of a read that is answered only if there is something new. */
export interface ConditionalOptions extends RequestOptions {
  /** The `etag` of an earlier response. If it still matches, the call returns `undefined`. Without it the call returns the data. */
  ifNoneMatch: string | undefined
}
