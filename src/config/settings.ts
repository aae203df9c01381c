import { availableParallelism } from 'node:os'
import { ENVIRONMENTS } from '../contract/servers.ts'
import { LOG_LEVELS } from '../observability/events.ts'
import { LOG_FORMATS } from '../observability/log.ts'
import { InvalidInput } from '../operator-error.ts'
import { parseDuration } from '../text.ts'
import { parseDatabaseUrl } from './database-url.ts'

export interface Setting<Value = unknown> {
  readonly variable: string
  /** With its argument: `--port <number>`. */
  readonly flag: string
  /** The default. */
  readonly fallback?: string
  readonly about: string
  /** Throws what completes a sentence that begins with the setting's name. It never shows the text. */
  readonly parse: (text: string) => Value
  /** Never shown. The variable with the suffix _FILE may name a file that contains the value. */
  readonly isSecret?: true
}

/** How many requests a key may make in how many seconds. */
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

const path = (text: string): string => text

const port = (text: string): number =>
  wholeNumber(text, 0, 65_535) ?? refuse('must be a number from 0 to 65535')

/** Elsewhere the system hands all connections of a shared port to one process. */
const SHARES_PORTS = process.platform === 'linux'
const MAX_PROCESSES = SHARES_PORTS ? 64 : 1

function processes(text: string): number {
  if (text === 'auto') return Math.min(availableParallelism(), MAX_PROCESSES)
  const rule = SHARES_PORTS
    ? `must be a number from 1 to ${MAX_PROCESSES}, or auto`
    : 'must be 1 on this system: only Linux divides the connections to one port among processes'
  return wholeNumber(text, 1, MAX_PROCESSES) ?? refuse(rule)
}

function publicBaseUrl(text: string): string {
  const url = plainUrl(text)
  if (url?.pathname.endsWith('/v1')) return url.href
  return refuse('must be an http or https address that ends in /v1, such as https://pets.example.org/v1')
}

/** Where spans are posted: the OTLP specification's path, below that of the endpoint. */
function otlpTracesUrl(text: string): string {
  const url = plainUrl(text) ?? refuse('must be an http or https address, such as http://127.0.0.1:4318')
  return `${url.href.replace(/\/$/, '')}/v1/traces`
}

/** `100/60s`: 100 requests in any 60 seconds. */
export function parseRateLimit(text: string): RateLimitPolicy {
  const [, count = '', duration = ''] = /^(\d+)\/(\w{2,7})$/.exec(text) ?? []
  const quota = wholeNumber(count, 1, 100_000)
  const windowSeconds = (parseDuration(duration) ?? 0) / 1000
  if (quota && windowSeconds > 0 && windowSeconds <= 86_400) return { quota, windowSeconds }
  return refuse('must be a count up to 100000 and a duration up to 1d, such as 100/60s')
}

/** Origins as browsers send them. `*` and `null` are none. */
export function parseOrigins(text: string): readonly string[] {
  const all = text.split(',').map(part => part.trim())
  if (all.every(origin => /^https?:/.test(origin) && URL.parse(origin)?.origin === origin)) return all
  return refuse(
    'must be a comma-separated list of origins such as https://shop.example.org; "*" is not allowed, because callers send keys',
  )
}

/** Every setting: an environment variable and a flag of the same meaning. The flag wins. */
export const SETTINGS = {
  host: {
    variable: 'HOST',
    flag: '--host <address>',
    fallback: '127.0.0.1',
    about: 'address to listen on, for the metrics too; 0.0.0.0 for all',
    parse: matching(/^[\w.:%-]+$/, 'must be a host name or an IP address'),
  },
  port: {
    variable: 'PORT',
    flag: '--port <number>',
    fallback: '8080',
    about: 'port to listen on; 0 for any free one',
    parse: port,
  },
  environment: {
    variable: 'PETSTORE_ENV',
    flag: `--env <${ENVIRONMENTS.join('|')}>`,
    fallback: 'production',
    about: `environment served: ${ENVIRONMENTS.join(' or ')}`,
    parse: choice(ENVIRONMENTS),
  },
  database: {
    variable: 'DATABASE_URL',
    flag: '--database-url <url>',
    about: 'where animals are stored: sqlite:<path> or postgres://…; default sqlite:data/<environment>.db',
    parse: parseDatabaseUrl,
    isSecret: true,
  },
  processes: {
    variable: 'PETSTORE_PROCESSES',
    flag: '--processes <number|auto>',
    fallback: '1',
    about: 'number of processes that serve the port; auto for one per core (Linux)',
    parse: processes,
  },
  baseUrl: {
    variable: 'PETSTORE_BASE_URL',
    flag: '--base-url <url>',
    about: 'public address of production, ending in /v1; makes links absolute',
    parse: publicBaseUrl,
  },
  stagingBaseUrl: {
    variable: 'PETSTORE_STAGING_BASE_URL',
    flag: '--staging-base-url <url>',
    about: 'public address of staging, ending in /v1; makes links absolute there',
    parse: publicBaseUrl,
  },
  hasConsole: {
    variable: 'PETSTORE_CONSOLE',
    flag: '--console <on|off>',
    fallback: 'on',
    about: 'serve the console at / and the reference at /docs',
    parse: onOff,
  },
  apiKey: {
    variable: 'PETSTORE_API_KEY',
    flag: '--api-key <key>',
    about:
      'an additional key to accept, 20 characters or more; prefer the variable: other users can see flags',
    parse: matching(
      /^[A-Za-z0-9\-._~+/]{20,512}=*$/,
      'must have 20 to 512 characters out of letters, digits and -._~+/',
    ),
    isSecret: true,
  },
  rateLimit: {
    variable: 'PETSTORE_RATE_LIMIT',
    flag: '--rate-limit <count/duration>',
    about: 'requests allowed for each key in a period, such as 100/60s; each process counts its own',
    parse: parseRateLimit,
  },
  corsOrigins: {
    variable: 'PETSTORE_CORS_ORIGINS',
    flag: '--cors-origins <origins>',
    about: 'web origins that may call the API, comma-separated',
    parse: parseOrigins,
  },
  tlsCert: {
    variable: 'PETSTORE_TLS_CERT',
    flag: '--tls-cert <file>',
    about: 'certificate chain (PEM) for HTTPS; restart the service to renew it',
    parse: path,
  },
  tlsKey: {
    variable: 'PETSTORE_TLS_KEY',
    flag: '--tls-key <file>',
    about: 'private key (PEM) of that certificate',
    parse: path,
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    flag: `--log-level <${LOG_LEVELS.join('|')}>`,
    fallback: 'info',
    about: 'lowest level to log; warn omits the line for each request',
    parse: choice(LOG_LEVELS),
  },
  logFormat: {
    variable: 'LOG_FORMAT',
    flag: `--log-format <${LOG_FORMATS.join('|')}>`,
    fallback: 'auto',
    about: 'log format: JSON lines or readable text; auto is readable only in a terminal',
    parse: choice(LOG_FORMATS),
  },
  metricsPort: {
    variable: 'PETSTORE_METRICS_PORT',
    flag: '--metrics-port <number>',
    about:
      'port for /metrics, in Prometheus format, without a key; of several processes, each has the next one; off if unset',
    parse: port,
  },
  tracesUrl: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    flag: '--otlp-endpoint <url>',
    about: 'collector to send traces to over OTLP/HTTP (protobuf); no traces if unset',
    parse: otlpTracesUrl,
  },
  rehearseSunset: {
    variable: 'PETSTORE_REHEARSE_SUNSET',
    flag: '--rehearse-sunset <on|off>',
    fallback: 'off',
    about: 'in staging, answer deprecated operations as if they were removed',
    parse: onOff,
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

/** The same variables for commands that talk to a server. */
export const CLIENT_SETTINGS = {
  baseUrl: {
    ...SETTINGS.baseUrl,
    about: 'server to talk to, ending in /v1; default: the service on this machine',
  },
  apiKey: {
    ...SETTINGS.apiKey,
    about: 'API key to send; prefer the variable: other users can see flags',
    // The server decides itself whether it is one.
    parse: matching(/^[!-~]+$/, 'contains a character that no API key has'),
  },
} as const satisfies Partial<Record<SettingName, Setting>>

const { environment, database, host, port: listenPort, tlsCert, tlsKey } = SETTINGS

/** Which database a command works on. */
export const STORE_SETTINGS = { environment, database } as const

/** The address of the service on this machine. */
export const ADDRESS_SETTINGS = { host, port: listenPort, tlsCert, tlsKey } as const

function wholeNumber(text: string, min: number, max: number): number | undefined {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  return number >= min && number <= max ? number : undefined
}

/** An address without credentials, query and fragment. */
function plainUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.search || url.hash || url.username || url.password ? undefined : url
}
