import { MAX_IDEMPOTENCY_KEY_LENGTH } from './contract.generated.ts'
import { definedOf, entriesOf } from './errors.ts'
import type { ObserverOptions } from './observe.ts'
import { INT64_AS, type Int64Mode } from './pet-json.ts'

/** Defaults of a client. */
const DEFAULTS = {
  attemptTimeoutMs: 10_000,
  timeoutMs: 60_000,
  maxRetries: 4,
  int64: 'bigint',
} as const satisfies Partial<Settings>

/** A client's options, checked and with defaults applied. */
export interface Settings extends PetstoreOptions<Int64Mode> {
  readonly apiKey: string
  readonly baseUrl: string
  readonly int64: Int64Mode
  readonly attemptTimeoutMs: number
  readonly timeoutMs: number
  readonly maxRetries: number
  /** Deprecated operations already reported, by this client or by one with the same settings. */
  readonly announced: Set<string>
}

/** Headers in any of the usual forms; undefined ones are left out. */
export type HeadersInput =
  | Headers
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | undefined>>

/** Options for a client or for a single call. */
export interface CommonOptions {
  /** Timeout of one attempt in milliseconds, including its body. Default 10 000. */
  attemptTimeoutMs?: number | undefined
  /** Timeout of one call in milliseconds, including all attempts and waits. Default 60 000. */
  timeoutMs?: number | undefined
  /** Maximum number of retries. Default 4. */
  maxRetries?: number | undefined
  /**
   * Sent with each request. A call's headers override the client's. Headers that the client needs, such as Authorization, cannot be
   * replaced.
   */
  headers?: HeadersInput | undefined
}

/** The options of a client. */
export interface PetstoreOptions<Mode extends Int64Mode = 'bigint'> extends CommonOptions, ObserverOptions {
  /** Default: the environment variable PETSTORE_API_KEY. */
  apiKey?: string | undefined
  /**
   * The base URL of the service, including the version: `https://pets.example.org/v1`. In a browser it may be relative: `/v1`.
   * Default: the environment variable PETSTORE_BASE_URL.
   */
  baseUrl?: string | undefined
  /** The type of every `id` and `categoryId` that the client returns. Default `bigint`. */
  int64?: Mode | undefined
  /** Replaces the runtime's fetch. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** The options of one call. */
export interface RequestOptions extends CommonOptions {
  /** Aborts the call, including its waits. */
  signal?: AbortSignal | undefined
}

/** The options of a conditional read. */
export interface ConditionalOptions extends RequestOptions {
  /** The `etag` of an earlier response. If the data is still the same, the result is `NOT_MODIFIED`. */
  ifNoneMatch?: string | undefined
}

/** The options of a create. */
export interface CreateOptions extends RequestOptions {
  /** Default: a new key for each call. Pass your own to retry a create safely after a restart. */
  idempotencyKey?: string | undefined
}

/** The options of a request to any path. */
export interface RawRequestOptions extends RequestOptions {
  query?: Readonly<Record<string, string | number | bigint | undefined>> | undefined
  /** Sent as JSON. A string, such as the result of `stringifyPet`, is sent as it is. */
  body?: object | string | undefined
  /** A POST or PATCH is retried only with an idempotency key. */
  idempotencyKey?: string | undefined
}

interface Surroundings {
  readonly process?: { readonly env?: Partial<Record<string, string>> }
  readonly document?: unknown
}

const VISIBLE = /^[!-~]+$/

const surroundings = globalThis as Surroundings

const variable = (name: string): string => surroundings.process?.env?.[name] ?? ''

/** A browser sets its own User-Agent, and another one would need permission from the service (CORS). */
export const isBrowser = (): boolean => !surroundings.process?.env || surroundings.document !== undefined

/** Throws a TypeError that says which option is invalid. It never contains the key, because messages end up in logs. */
export function settingsOf(options: PetstoreOptions<Int64Mode>): Settings {
  const { apiKey = variable('PETSTORE_API_KEY'), baseUrl = variable('PETSTORE_BASE_URL') } = options
  if (!apiKey) throw new TypeError('The API key is missing: pass apiKey or set PETSTORE_API_KEY.')
  must('apiKey or PETSTORE_API_KEY', VISIBLE.test(apiKey), 'consist of visible ASCII characters')
  let address: string | undefined
  try {
    // Only a browser's Request resolves a relative URL; elsewhere it throws.
    address = /^(https?:[^?#@]*\/v1)\/*$/.exec(new Request(baseUrl).url)?.[1]
  } catch {}
  must('baseUrl or PETSTORE_BASE_URL', baseUrl && address, 'be set to an http address that ends in /v1')
  const announced = new Set<string>()
  const settings = { ...DEFAULTS, announced, ...definedOf(options), apiKey, baseUrl: `${address}` }
  must('int64', Object.hasOwn(INT64_AS, settings.int64), 'be bigint or string')
  checkOptions(options)
  return settings
}

const LEAST = { attemptTimeoutMs: 1, timeoutMs: 1, maxRetries: 0 } as const

/** Rejects values that would only fail later, for example as a timer that fires immediately. */
export function checkOptions(options: CreateOptions & ConditionalOptions): void {
  for (const [name, value] of entriesOf(options))
    if (name in LEAST) mustBeNumber(name, value, LEAST[name as keyof typeof LEAST])
  const { idempotencyKey: key, ifNoneMatch: tag } = options
  const isKey = typeof key === 'string' && VISIBLE.test(key) && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH
  must(
    'idempotencyKey',
    key === undefined || isKey,
    `have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters`,
  )
  must(
    'ifNoneMatch',
    tag === undefined || /^(W\/)?"[!#-~]*"$/.test(tag),
    'be the etag of an earlier response',
  )
}

export function must(option: string, holds: unknown, rule: string): void {
  if (!holds) throw new TypeError(`${option} must ${rule}.`)
}

export const mustBeNumber = (option: string, value: unknown, least: number): void =>
  must(option, typeof value === 'number' && value >= least, `be a number, at least ${least}`)
