import { availableParallelism } from 'node:os'
import { ENVIRONMENTS, VERSION_PREFIX } from '../contract/servers.ts'
import { LOG_LEVELS } from '../observability/events.ts'
import { InvalidInput } from '../operator-error.ts'
import { parseDatabaseUrl } from './database-url.ts'

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `30s`, `15m`, `6h` or `1d` in milliseconds, in every setting and flag; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]
}

interface Details {
  readonly about: string
  /** The default. */
  readonly fallback?: string
  /** Never shown. The variable with the suffix _FILE may specify a file that contains the value. */
  readonly isSecret?: true
}

export interface Setting<Value = unknown> extends Details {
  readonly variable: string
  /** With its argument: `--port <number>`. */
  readonly flag: string
  /** Throws a message that continues after the setting's name, such as `must be …`. It never shows the value. */
  readonly parse: (text: string) => Value
}

const setting = <Value, More extends Details>(
  variable: string,
  flag: string,
  parse: (text: string) => Value,
  more: More,
): Setting<Value> & More => ({ variable, flag, parse, ...more })

/** How many requests an API key may make in a period. */
export interface RateLimitPolicy {
  readonly quota: number
  readonly windowSeconds: number
}

function refuse(rule: string): never {
  throw new InvalidInput(rule)
}

const matching =
  (pattern: RegExp, rule: string) =>
  (text: string): string =>
    pattern.test(text) ? text : refuse(rule)

const choice =
  <const Choice extends string>(choices: readonly Choice[]) =>
  (text: string): Choice =>
    choices.find(each => each === text) ??
    refuse(`must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`)

const onOff = (text: string): boolean => choice(['on', 'off'])(text) === 'on'

const hostName = matching(/^[\w.:%-]+$/, 'must be a host name or an IP address')

const apiKey = matching(
  /^[A-Za-z0-9\-._~+/]{20,512}=*$/,
  'must have 20 to 512 characters out of letters, digits and -._~+/',
)

const port = (text: string): number =>
  wholeNumber(text, 0, 65_535) ?? refuse('must be a number from 0 to 65535')

/** Only Linux distributes a port's connections among threads; elsewhere one thread would get all of them. */
const MAX_THREADS = process.platform === 'linux' ? 64 : 1

const threads = (text: string): number =>
  (text === 'auto' ? Math.min(availableParallelism(), MAX_THREADS) : wholeNumber(text, 1, MAX_THREADS)) ??
  refuse(`must be a number from 1 to ${MAX_THREADS}, or auto; above 1 on Linux only`)

function publicBaseUrl(text: string): string {
  const url = plainUrl(text)
  if (url?.pathname.endsWith(VERSION_PREFIX)) return url.href
  return refuse('must be an http or https URL that ends in /v1, such as https://pets.example.org/v1')
}

/** The URL to send spans to: the endpoint, with the OTLP specification's path. */
function otlpTracesUrl(text: string): string {
  const url = plainUrl(text) ?? refuse('must be an http or https URL, such as http://127.0.0.1:4318')
  return `${url.href.replace(/\/$/, '')}/v1/traces`
}

/** `100/60s`: 100 requests in any 60 seconds. */
function parseRateLimit(text: string): RateLimitPolicy {
  const [, count = '', duration = ''] = /^(\d+)\/(\w{2,7})$/.exec(text) ?? []
  const quota = wholeNumber(count, 1, 100_000)
  const windowSeconds = (parseDuration(duration) ?? 0) / 1000
  if (quota && windowSeconds > 0 && windowSeconds <= 86_400) return { quota, windowSeconds }
  return refuse('must be a count up to 100000 and a duration up to 1d, such as 100/60s')
}

/** Origins as browsers send them; not `*` or `null`. */
function parseOrigins(text: string): readonly string[] {
  const all = text.split(',').map(part => part.trim())
  if (all.every(origin => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin)) return all
  return refuse(
    'must be a comma-separated list of origins such as https://shop.example.org; "*" is not allowed, because requests carry API keys',
  )
}

/** Every setting, as an environment variable and a flag. The flag takes precedence. */
export const SETTINGS = {
  host: setting('HOST', '--host <address>', hostName, {
    about: 'address that the service listens on, also for the metrics; 0.0.0.0 for all',
    fallback: '127.0.0.1',
  }),
  port: setting('PORT', '--port <number>', port, {
    about: 'port that the service listens on; 0 for any free one',
    fallback: '8080',
  }),
  environment: setting('PETSTORE_ENV', `--env <${ENVIRONMENTS.join('|')}>`, choice(ENVIRONMENTS), {
    about: `environment: ${ENVIRONMENTS.join(' or ')}`,
    fallback: 'production',
  }),
  database: setting('DATABASE_URL', '--database-url <url>', parseDatabaseUrl, {
    about: 'where animals are stored: sqlite:<path> or postgres://…; default sqlite:data/<environment>.db',
    isSecret: true,
  }),
  threads: setting('PETSTORE_THREADS', '--threads <number|auto>', threads, {
    about: 'number of threads that serve requests, 1 to 64, or auto for one per core; above 1 on Linux only',
    fallback: '1',
  }),
  baseUrl: setting('PETSTORE_BASE_URL', '--base-url <url>', publicBaseUrl, {
    about: 'public base URL of production, ending in /v1; makes links absolute',
  }),
  stagingBaseUrl: setting('PETSTORE_STAGING_BASE_URL', '--staging-base-url <url>', publicBaseUrl, {
    about: 'public base URL of staging, ending in /v1; makes links absolute there',
  }),
  hasConsole: setting('PETSTORE_CONSOLE', '--console <on|off>', onOff, {
    about: 'serve the console at / and the reference at /docs',
    fallback: 'on',
  }),
  apiKey: setting('PETSTORE_SERVER_API_KEY', '--api-key <key>', apiKey, {
    about:
      'an additional API key to accept, 20 to 512 characters; prefer the variable, because other users can see flags',
    isSecret: true,
  }),
  rateLimit: setting('PETSTORE_RATE_LIMIT', '--rate-limit <count/duration>', parseRateLimit, {
    about: 'requests allowed per API key in a period, such as 100/60s; at most 100000, and 1d',
  }),
  corsOrigins: setting('PETSTORE_CORS_ORIGINS', '--cors-origins <origins>', parseOrigins, {
    about: 'web origins that may call the API, comma-separated',
  }),
  tlsCert: setting('PETSTORE_TLS_CERT', '--tls-cert <file>', String, {
    about: 'certificate chain (PEM) for HTTPS; restart the service to load a renewed one',
  }),
  tlsKey: setting('PETSTORE_TLS_KEY', '--tls-key <file>', String, {
    about: 'private key (PEM) of that certificate',
  }),
  logLevel: setting('LOG_LEVEL', `--log-level <${LOG_LEVELS.join('|')}>`, choice(LOG_LEVELS), {
    about: 'lowest level to log; warn omits the line for each request',
    fallback: 'info',
  }),
  metricsPort: setting('PETSTORE_METRICS_PORT', '--metrics-port <number>', port, {
    about: 'port for /metrics (Prometheus format, no key needed); off if unset',
  }),
  tracesUrl: setting('OTEL_EXPORTER_OTLP_ENDPOINT', '--otlp-endpoint <url>', otlpTracesUrl, {
    about: 'collector to send traces to over OTLP/HTTP (protobuf); no traces if unset',
  }),
  rehearseSunset: setting('PETSTORE_REHEARSE_SUNSET', '--rehearse-sunset <on|off>', onOff, {
    about: 'in staging, respond to deprecated operations as if they had been removed',
    fallback: 'off',
  }),
}

export type SettingName = keyof typeof SETTINGS

/** For commands that talk to a server. Their key is not the server's, so that one shell can start several. */
export const CLIENT_SETTINGS = {
  baseUrl: {
    ...SETTINGS.baseUrl,
    about: 'base URL of the server, ending in /v1; default: the service on this machine',
  },
  apiKey: {
    ...SETTINGS.apiKey,
    variable: 'PETSTORE_API_KEY',
    about: 'API key to send; prefer the variable, because other users can see flags',
    // The server decides whether the key is valid.
    parse: matching(/^[!-~]+$/, 'contains a character that API keys cannot have'),
  },
}

/** Settings that select a command's database. */
export const STORE_SETTINGS = { environment: SETTINGS.environment, database: SETTINGS.database }

/** The address of the service on this machine. */
export const ADDRESS_SETTINGS = {
  host: SETTINGS.host,
  port: SETTINGS.port,
  tlsCert: SETTINGS.tlsCert,
  tlsKey: SETTINGS.tlsKey,
}

function wholeNumber(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return number >= min && number <= max ? number : undefined
}

/** A URL without credentials, query or fragment. */
function plainUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.search || url.hash || url.username || url.password ? undefined : url
}
