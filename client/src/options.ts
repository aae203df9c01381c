import type { DEFAULT_SERVERS } from './contract.generated.ts'
import type { Int64Mode } from './int64.ts'
import type { Hooks, Logger, LogLevel } from './request/observe.ts'

/** The two environments of a petstore, each with its own animals and keys. */
export type Environment = keyof typeof DEFAULT_SERVERS

/** Options for a client or for a single call. */
export interface CommonOptions {
  /** The time limit of one attempt in milliseconds, including its body. Default 10 000. */
  attemptTimeoutMs?: number | undefined
  /** The time limit of one call in milliseconds, including all attempts and waits. Default 60 000. */
  timeoutMs?: number | undefined
  /** How often a failed attempt is repeated. Default 4. */
  maxRetries?: number | undefined
  /**
   * Sent with each request. Headers of a call override those of the client. Headers that the client needs, such as
   * Authorization, cannot be replaced.
   */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The options of a client. All are optional if the environment provides the key. */
export interface PetstoreOptions<Mode extends Int64Mode = 'bigint'> extends CommonOptions, Hooks {
  /** Default: the environment variable PETSTORE_API_KEY. */
  apiKey?: string | undefined
  /**
   * The address of the service, including the version: `https://pets.example.org/v1`. In a browser it may be relative: `/v1`.
   * Default: the environment variable PETSTORE_BASE_URL, or PETSTORE_STAGING_BASE_URL for staging; otherwise this machine.
   */
  baseUrl?: string | undefined
  /** Selects the default address. Default `production`. */
  environment?: Environment | undefined
  /** The type of every `id` and `categoryId` that the client returns. Default `bigint`. */
  int64?: Mode | undefined
  /** Replaces the fetch of the runtime. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Where messages go. Default `console`. */
  logger?: Logger | undefined
  /** The log level. Default `warn` with a logger, `error` without. */
  logLevel?: LogLevel | undefined
}

/** The options of one call. */
export interface RequestOptions extends CommonOptions {
  /** Aborts the call, including its waits. */
  signal?: AbortSignal | undefined
}

/** The options of a create. */
export interface CreateOptions extends RequestOptions {
  /** Default: a new key for each call. Pass your own to repeat a create safely after a restart. */
  idempotencyKey?: string | undefined
}

/** The options of a conditional read. */
export interface ConditionalOptions extends RequestOptions {
  /** The `etag` of an earlier response. If it still matches, the call returns `undefined`. Without it the call returns the data. */
  ifNoneMatch: string | undefined
}
