import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { ENVIRONMENTS } from '../contract/servers.ts'
import { LOG_LEVELS } from '../observability/events.ts'
import { LOG_FORMATS } from '../observability/log.ts'
import { databaseUrl } from './database-url.ts'
import { parseDuration } from './duration.ts'

export interface Setting {
  readonly variable: string
  /** With its argument: `--port <number>`. */
  readonly flag: string
  /** The default. */
  readonly fallback?: string
  readonly about: string
  /** Parses the text. Its message completes a sentence that begins with the setting's name, and never shows the text. */
  readonly schema: z.ZodType
  /** Never shown, not even to the operator. */
  readonly isSecret?: true
  /** The variable with the suffix _FILE names a file that contains the value. */
  readonly mayBeFile?: true
}

/** How many requests a key may make in how many seconds. */
export interface RateLimitPolicy {
  readonly quota: number
  readonly windowSeconds: number
}

/** What `parse` returns; text for which it returns undefined is refused. */
const parsed = <Value>(parse: (text: string) => Value | undefined, rule: string) =>
  z.string().transform((text, context): Value => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue(rule)
    return z.NEVER
  })

const choice = <const Choices extends readonly string[]>(choices: Choices) =>
  z.enum(choices, `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`)

const onOff = choice(['on', 'off']).transform(value => value === 'on')

const host = z.string().regex(/^[\w.:%-]+$/, 'must be a host name or an IP address')

const port = parsed(text => wholeNumber(text, 0, 65_535), 'must be a number from 0 to 65535')

/** Elsewhere the system hands all connections of a shared port to one process. */
const SHARES_PORTS = process.platform === 'linux'
const MAX_PROCESSES = SHARES_PORTS ? 64 : 1

const processes = parsed(
  text =>
    text === 'auto' ? Math.min(availableParallelism(), MAX_PROCESSES) : wholeNumber(text, 1, MAX_PROCESSES),
  SHARES_PORTS
    ? `must be a number from 1 to ${MAX_PROCESSES}, or auto`
    : 'must be 1 on this system: only Linux divides the connections to one port among processes',
)

const publicBaseUrl = parsed(text => {
  const url = plainUrl(text)
  return url?.pathname.endsWith('/v1') ? url.href : undefined
}, 'must be an http or https address that ends in /v1, such as https://pets.example.org/v1')

/** The path is the OTLP specification's, below the path of the endpoint. */
const otlpEndpoint = parsed(text => {
  const url = plainUrl(text)
  return url && `${url.href.replace(/\/$/, '')}/v1/traces`
}, 'must be an http or https address, such as http://127.0.0.1:4318')

/** `100/60s`: 100 requests in any 60 seconds. */
export const rateLimit = parsed<RateLimitPolicy>(text => {
  const [, count = '', duration = ''] = /^(\d+)\/(\w{2,7})$/.exec(text) ?? []
  const quota = wholeNumber(count, 1, 100_000)
  const windowSeconds = (parseDuration(duration) ?? 0) / 1000
  return quota && windowSeconds > 0 && windowSeconds <= 86_400 ? { quota, windowSeconds } : undefined
}, 'must be a count up to 100000 and a duration up to 1d, such as 100/60s')

/** Origins as browsers send them. `*` and `null` are none. */
export const origins = parsed<readonly string[]>(text => {
  const all = text.split(',').map(part => part.trim())
  return all.every(isOrigin) ? [...new Set(all)] : undefined
}, 'must be a comma-separated list of origins such as https://shop.example.org; "*" is not allowed, because callers send keys')

const acceptedKey = z
  .string()
  .regex(/^[A-Za-z0-9\-._~+/]{20,512}=*$/, 'must have 20 to 512 characters out of letters, digits and -._~+/')

/** A key for a server, which decides itself whether it is one. */
const sentKey = z.string().regex(/^[!-~]+$/, 'contains a character that no API key has')

/** Every setting: an environment variable and a flag of the same meaning. The flag wins. */
export const SETTINGS = {
  host: {
    variable: 'HOST',
    flag: '--host <address>',
    fallback: '127.0.0.1',
    about: 'address to listen on, for the metrics too; 0.0.0.0 for all',
    schema: host,
  },
  port: {
    variable: 'PORT',
    flag: '--port <number>',
    fallback: '8080',
    about: 'port to listen on; 0 for any free one',
    schema: port,
  },
  environment: {
    variable: 'PETSTORE_ENV',
    flag: `--env <${ENVIRONMENTS.join('|')}>`,
    fallback: 'production',
    about: `environment served: ${ENVIRONMENTS.join(' or ')}`,
    schema: choice(ENVIRONMENTS),
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    flag: '--database-url <url>',
    about: 'where animals are stored: sqlite:<path> or postgres://…; default sqlite:data/<environment>.db',
    schema: databaseUrl,
    mayBeFile: true,
  },
  processes: {
    variable: 'PETSTORE_PROCESSES',
    flag: '--processes <number|auto>',
    fallback: '1',
    about: 'number of processes that serve the port; auto for one per core (Linux)',
    schema: processes,
  },
  baseUrl: {
    variable: 'PETSTORE_BASE_URL',
    flag: '--base-url <url>',
    about: 'public address of production, ending in /v1; makes links absolute',
    schema: publicBaseUrl,
  },
  stagingBaseUrl: {
    variable: 'PETSTORE_STAGING_BASE_URL',
    flag: '--staging-base-url <url>',
    about: 'public address of staging, ending in /v1; makes links absolute there',
    schema: publicBaseUrl,
  },
  console: {
    variable: 'PETSTORE_CONSOLE',
    flag: '--console <on|off>',
    fallback: 'on',
    about: 'serve the console at / and the reference at /docs',
    schema: onOff,
  },
  apiKey: {
    variable: 'PETSTORE_API_KEY',
    flag: '--api-key <key>',
    about:
      'an additional key to accept, 20 characters or more; prefer the variable: other users can see flags',
    schema: acceptedKey,
    isSecret: true,
    mayBeFile: true,
  },
  rateLimit: {
    variable: 'PETSTORE_RATE_LIMIT',
    flag: '--rate-limit <count/duration>',
    about: 'requests allowed for each key in a period, such as 100/60s; each process counts its own',
    schema: rateLimit,
  },
  corsOrigins: {
    variable: 'PETSTORE_CORS_ORIGINS',
    flag: '--cors-origins <origins>',
    about: 'web origins that may call the API, comma-separated',
    schema: origins,
  },
  tlsCert: {
    variable: 'PETSTORE_TLS_CERT',
    flag: '--tls-cert <file>',
    about: 'certificate chain (PEM) for HTTPS; restart the service to renew it',
    schema: z.string(),
  },
  tlsKey: {
    variable: 'PETSTORE_TLS_KEY',
    flag: '--tls-key <file>',
    about: 'private key (PEM) of that certificate',
    schema: z.string(),
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    flag: `--log-level <${LOG_LEVELS.join('|')}>`,
    fallback: 'info',
    about: 'lowest level to log; warn omits the line for each request',
    schema: choice(LOG_LEVELS),
  },
  logFormat: {
    variable: 'LOG_FORMAT',
    flag: `--log-format <${LOG_FORMATS.join('|')}>`,
    fallback: 'auto',
    about: 'log format: JSON lines or readable text; auto is readable only in a terminal',
    schema: choice(LOG_FORMATS),
  },
  metricsPort: {
    variable: 'PETSTORE_METRICS_PORT',
    flag: '--metrics-port <number>',
    about:
      'port for /metrics, in Prometheus format, without a key; of several processes, each has the next one; off if unset',
    schema: port,
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    flag: '--otlp-endpoint <url>',
    about: 'collector to send traces to over OTLP/HTTP (protobuf); no traces if unset',
    schema: otlpEndpoint,
  },
  rehearseSunset: {
    variable: 'PETSTORE_REHEARSE_SUNSET',
    flag: '--rehearse-sunset <on|off>',
    fallback: 'off',
    about: 'in staging, answer deprecated operations as if they were removed',
    schema: onOff,
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
    schema: sentKey,
  },
} as const satisfies Partial<Record<SettingName, Setting>>

/** Which database a command works on. */
export const STORE_SETTINGS = {
  environment: SETTINGS.environment,
  databaseUrl: SETTINGS.databaseUrl,
} as const

/** The address of the service on this machine. */
export const ADDRESS_SETTINGS = {
  host: SETTINGS.host,
  port: SETTINGS.port,
  tlsCert: SETTINGS.tlsCert,
  tlsKey: SETTINGS.tlsKey,
} as const

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

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}
