import type { z } from 'zod'
import { ENVIRONMENTS } from '../contract/servers.ts'
import { LOG_FORMATS, LOG_LEVELS } from '../observability/levels.ts'
import { CONNECTIONS } from '../store/database.ts'
import { databaseUrl } from './database-url.ts'
import { origins, rateLimit } from './protections.ts'
import {
  acceptedKey,
  choice,
  count,
  duration,
  host,
  onOff,
  otlpEndpoint,
  processes,
  publicBaseUrl,
  text,
} from './schemas.ts'

export interface Setting {
  readonly variable: string
  readonly flag: string
  readonly argument: string
  /** The default. */
  readonly fallback?: string
  readonly about: string
  /** Parses the text. Its message completes a sentence that begins with the setting's name. */
  readonly schema: z.ZodType
  /** Never shown, not even to the operator. */
  readonly isSecret?: true
  /** The variable with the suffix _FILE names a file that contains the value. */
  readonly mayBeFile?: true
}

const DAY_MS = 24 * 60 * 60 * 1000
/** The runtime's timers go to 24.8 days. */
const LONGEST_TIMER_MS = 24 * DAY_MS

/** Every setting: an environment variable and a flag of the same meaning. The flag wins. */
export const SETTINGS = {
  host: {
    variable: 'HOST',
    flag: '--host',
    argument: '<address>',
    fallback: '127.0.0.1',
    about: 'address to listen on; 0.0.0.0 for all',
    schema: host,
  },
  port: {
    variable: 'PORT',
    flag: '--port',
    argument: '<number>',
    fallback: '8080',
    about: 'port to listen on; 0 for any free one',
    schema: count(0, 65535),
  },
  environment: {
    variable: 'PETSTORE_ENV',
    flag: '--env',
    argument: `<${ENVIRONMENTS.join('|')}>`,
    fallback: 'production',
    about: `environment served: ${ENVIRONMENTS.join(' or ')}`,
    schema: choice(ENVIRONMENTS),
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    flag: '--database-url',
    argument: '<url>',
    about: 'where animals are stored: sqlite:<path> or postgres://…; default sqlite:data/<environment>.db',
    schema: databaseUrl,
    mayBeFile: true,
  },
  databaseConnections: {
    variable: 'PETSTORE_DATABASE_CONNECTIONS',
    flag: '--database-connections',
    argument: '<number>',
    about: `maximum number of connections to PostgreSQL per process, default ${CONNECTIONS.usual}; connection_limit in DATABASE_URL takes precedence`,
    schema: count(CONNECTIONS.min, CONNECTIONS.max),
  },
  processes: {
    variable: 'PETSTORE_PROCESSES',
    flag: '--processes',
    argument: '<number|auto>',
    fallback: '1',
    about: 'number of processes that serve the port; auto for one per core (Linux)',
    schema: processes,
  },
  baseUrl: {
    variable: 'PETSTORE_BASE_URL',
    flag: '--base-url',
    argument: '<url>',
    about: 'public address of production, ending in /v1; makes links absolute',
    schema: publicBaseUrl,
  },
  stagingBaseUrl: {
    variable: 'PETSTORE_STAGING_BASE_URL',
    flag: '--staging-base-url',
    argument: '<url>',
    about: 'public address of staging, ending in /v1; makes links absolute there',
    schema: publicBaseUrl,
  },
  console: {
    variable: 'PETSTORE_CONSOLE',
    flag: '--console',
    argument: '<on|off>',
    fallback: 'on',
    about: 'serve the console at / and the reference at /docs',
    schema: onOff,
  },
  apiKey: {
    variable: 'PETSTORE_API_KEY',
    flag: '--api-key',
    argument: '<key>',
    about:
      'an additional key to accept, 20 characters or more; prefer the variable: other users can see flags',
    schema: acceptedKey,
    isSecret: true,
    mayBeFile: true,
  },
  backupEvery: {
    variable: 'PETSTORE_BACKUP_EVERY',
    flag: '--backup-every',
    argument: '<duration>',
    about: 'how often to back up the SQLite database while serving, such as 6h or 1d; no backups if unset',
    schema: duration(1000, LONGEST_TIMER_MS, 'must be a duration from 1s to 24d, such as 30m, 6h or 1d'),
  },
  backupKeep: {
    variable: 'PETSTORE_BACKUP_KEEP',
    flag: '--backup-keep',
    argument: '<number>',
    fallback: '7',
    about: 'how many of these backups to keep; older ones are removed',
    schema: count(1, 9999),
  },
  backupFolder: {
    variable: 'PETSTORE_BACKUP_DIR',
    flag: '--backup-dir',
    argument: '<folder>',
    about: 'folder for these backups; default: backups, next to the database',
    schema: text,
  },
  rateLimit: {
    variable: 'PETSTORE_RATE_LIMIT',
    flag: '--rate-limit',
    argument: '<count/duration>',
    about: 'requests allowed for each key in a period, such as 100/60s; each process counts its own',
    schema: rateLimit,
  },
  corsOrigins: {
    variable: 'PETSTORE_CORS_ORIGINS',
    flag: '--cors-origins',
    argument: '<origins>',
    about: 'web origins that may call the API, comma-separated',
    schema: origins,
  },
  tlsCert: {
    variable: 'PETSTORE_TLS_CERT',
    flag: '--tls-cert',
    argument: '<file>',
    about: 'certificate chain (PEM) for HTTPS; read again on SIGHUP and when it changes',
    schema: text,
  },
  tlsKey: {
    variable: 'PETSTORE_TLS_KEY',
    flag: '--tls-key',
    argument: '<file>',
    about: 'private key (PEM) of that certificate',
    schema: text,
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    flag: '--log-level',
    argument: '<debug|info|warn|error>',
    fallback: 'info',
    about: 'lowest level to log; warn omits the line for each request',
    schema: choice(LOG_LEVELS),
  },
  logFormat: {
    variable: 'LOG_FORMAT',
    flag: '--log-format',
    argument: '<auto|json|readable>',
    fallback: 'auto',
    about: 'log format: JSON lines or readable text; auto is readable only in a terminal',
    schema: choice(LOG_FORMATS),
  },
  metricsPort: {
    variable: 'PETSTORE_METRICS_PORT',
    flag: '--metrics-port',
    argument: '<number>',
    about: 'port for /metrics, in Prometheus format; 0 for any free one; off if unset',
    schema: count(0, 65535),
  },
  metricsHost: {
    variable: 'PETSTORE_METRICS_HOST',
    flag: '--metrics-host',
    argument: '<address>',
    fallback: '127.0.0.1',
    about: 'address to serve metrics on; they require no key',
    schema: host,
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    flag: '--otlp-endpoint',
    argument: '<url>',
    about: 'collector to send traces to over OTLP/HTTP (protobuf); no traces if unset',
    schema: otlpEndpoint,
  },
  rehearseSunset: {
    variable: 'PETSTORE_REHEARSE_SUNSET',
    flag: '--rehearse-sunset',
    argument: '<on|off>',
    fallback: 'off',
    about: 'in staging, answer deprecated operations as if they were removed',
    schema: onOff,
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS
