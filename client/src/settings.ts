import { DEFAULT_SERVERS, MAX_IDEMPOTENCY_KEY_LENGTH } from './contract.generated.ts'
import type { Int64Mode } from './int64.ts'
import type { CommonOptions, CreateOptions, Environment, PetstoreOptions } from './options.ts'

const VARIABLES: Record<Environment, string> = {
  production: 'PETSTORE_BASE_URL',
  staging: 'PETSTORE_STAGING_BASE_URL',
}

interface Surroundings {
  readonly process?: { readonly env?: Partial<Record<string, string>> }
  readonly document?: unknown
}

const VISIBLE = /^[!-~]+$/

const surroundings = globalThis as Surroundings

const variable = (name: string): string | undefined => surroundings.process?.env?.[name] || undefined

/** The address and key of the service. No message contains the key, because it would end up in logs. */
export function credentialsOf(options: PetstoreOptions<Int64Mode>): { apiKey: string; baseUrl: string } {
  const { apiKey = variable('PETSTORE_API_KEY') ?? '', environment = 'production' } = options
  must('apiKey or PETSTORE_API_KEY', VISIBLE.test(apiKey ?? ''), 'be given, in visible ASCII characters')
  mustBeOneOf('environment', environment, Object.keys(VARIABLES))
  const name = VARIABLES[environment]
  const { baseUrl = variable(name) ?? DEFAULT_SERVERS[environment] } = options
  let address: string | undefined
  try {
    // Only a browser's Request resolves a relative address; elsewhere it throws.
    address = /^(https?:[^?#@]*\/v1)\/*$/.exec(new Request(baseUrl).url)?.[1]
  } catch {}
  must(`baseUrl or ${name}`, address, 'be an http address that ends in /v1: https://pets.example.org/v1')
  return { apiKey, baseUrl: `${address}` }
}

/** Rejects values that would only fail later, for example as a timer that fires at once. */
export function checkOptions(options: CommonOptions & CreateOptions): void {
  const { attemptTimeoutMs = 1, timeoutMs = 1, maxRetries = 0, idempotencyKey = '-' } = options
  mustBeNumber('attemptTimeoutMs', attemptTimeoutMs, 1)
  mustBeNumber('timeoutMs', timeoutMs, 1)
  mustBeNumber('maxRetries', maxRetries, 0)
  must(
    'idempotencyKey',
    typeof idempotencyKey === 'string' &&
      VISIBLE.test(idempotencyKey) &&
      idempotencyKey.length <= MAX_IDEMPOTENCY_KEY_LENGTH,
    `be 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters`,
  )
}

function must(option: string, holds: unknown, rule: string): void {
  if (!holds) throw new TypeError(`${option} must ${rule}.`)
}

export const mustBeNumber = (option: string, value: unknown, least: number): void =>
  must(option, typeof value === 'number' && value >= least, `be a number from ${least}`)

export const mustBeOneOf = (option: string, value: string, values: readonly string[]): void =>
  must(option, values.includes(value), `be one of ${values.join(', ')}`)

/** A browser sets its own User-Agent, and another one would need permission from the service (CORS). */
export const isBrowser = (): boolean => !surroundings.process?.env || surroundings.document !== undefined
