import { DEFAULT_SERVERS, ENVIRONMENTS } from '../contract/servers.ts'

export interface Setting {
  readonly variable: string
  readonly flag: string
  readonly argument: string
  readonly fallback: string | undefined
  readonly about: string
  /** Never shown, not even to the operator. */
  readonly isSecret?: true
  /** The variable with _FILE at its end names a file that holds the value. */
  readonly mayBeFile?: true
}

/** Every setting: an environment variable and a flag of the same meaning. The flag wins. */
export const SETTINGS = {
  host: {
    variable: 'HOST',
    flag: '--host',
    argument: '<address>',
    fallback: '127.0.0.1',
    about: 'address to listen on; 0.0.0.0 for all',
  },
  port: {
    variable: 'PORT',
    flag: '--port',
    argument: '<number>',
    fallback: '8080',
    about: 'port to listen on; 0 for any free one',
  },
  environment: {
    variable: 'PETSTORE_ENV',
    flag: '--env',
    argument: `<${ENVIRONMENTS.join('|')}>`,
    fallback: 'production',
    about: `environment served: ${ENVIRONMENTS.join(' or ')}`,
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    flag: '--database-url',
    argument: '<url>',
    fallback: undefined,
    about: 'where the animals are kept: sqlite:<path> or postgres://…; default sqlite:data/<environment>.db',
    mayBeFile: true,
  },
  baseUrl: {
    variable: 'PETSTORE_BASE_URL',
    flag: '--base-url',
    argument: '<url>',
    fallback: undefined,
    about: 'public address of production, ending in /v1; makes links absolute',
  },
  stagingBaseUrl: {
    variable: 'PETSTORE_STAGING_BASE_URL',
    flag: '--staging-base-url',
    argument: '<url>',
    fallback: undefined,
    about: 'public address of staging, ending in /v1; makes links absolute there',
  },
  console: {
    variable: 'PETSTORE_CONSOLE',
    flag: '--console',
    argument: '<on|off>',
    fallback: 'on',
    about: 'the pages for people: the console at / and the reference at /docs',
  },
  apiKey: {
    variable: 'PETSTORE_API_KEY',
    flag: '--api-key',
    argument: '<key>',
    fallback: undefined,
    about: 'one more accepted key, 20 characters or more; prefer the variable, since others can see flags',
    isSecret: true,
    mayBeFile: true,
  },
  backupEvery: {
    variable: 'PETSTORE_BACKUP_EVERY',
    flag: '--backup-every',
    argument: '<span>',
    fallback: undefined,
    about: 'back up the SQLite database this often while serving, such as 6h or 1d; never when left out',
  },
  backupKeep: {
    variable: 'PETSTORE_BACKUP_KEEP',
    flag: '--backup-keep',
    argument: '<number>',
    fallback: '7',
    about: 'how many of these backups are kept; older ones are removed',
  },
  backupFolder: {
    variable: 'PETSTORE_BACKUP_DIR',
    flag: '--backup-dir',
    argument: '<folder>',
    fallback: undefined,
    about: 'folder of these backups; default the folder backups beside the database',
  },
  rateLimit: {
    variable: 'PETSTORE_RATE_LIMIT',
    flag: '--rate-limit',
    argument: '<count/span>',
    fallback: undefined,
    about: 'requests that one key may make in a span, such as 100/60s; counted by each instance for itself',
  },
  corsOrigins: {
    variable: 'PETSTORE_CORS_ORIGINS',
    flag: '--cors-origins',
    argument: '<origins>',
    fallback: undefined,
    about: 'web origins whose pages may call the API, parted by commas',
  },
  tlsCert: {
    variable: 'PETSTORE_TLS_CERT',
    flag: '--tls-cert',
    argument: '<file>',
    fallback: undefined,
    about: 'certificate chain (PEM) for HTTPS; read again on SIGHUP and when it changes',
  },
  tlsKey: {
    variable: 'PETSTORE_TLS_KEY',
    flag: '--tls-key',
    argument: '<file>',
    fallback: undefined,
    about: 'private key (PEM) of that certificate',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    flag: '--log-level',
    argument: '<debug|info|warn|error>',
    fallback: 'info',
    about: 'least urgent line of the log; warn leaves out the line of each request',
  },
  logFormat: {
    variable: 'LOG_FORMAT',
    flag: '--log-format',
    argument: '<auto|json|readable>',
    fallback: 'auto',
    about: 'form of the log: JSON lines, or readable ones; auto is readable in a terminal only',
  },
  metricsPort: {
    variable: 'PETSTORE_METRICS_PORT',
    flag: '--metrics-port',
    argument: '<number>',
    fallback: undefined,
    about: 'port that serves /metrics for Prometheus; 0 for any free one; off when not set',
  },
  metricsHost: {
    variable: 'PETSTORE_METRICS_HOST',
    flag: '--metrics-host',
    argument: '<address>',
    fallback: '127.0.0.1',
    about: 'address to serve the metrics on; they ask for no key',
  },
  otlpEndpoint: {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    flag: '--otlp-endpoint',
    argument: '<url>',
    fallback: undefined,
    about: 'collector that traces are sent to over OTLP/HTTP (protobuf); no traces when not set',
  },
  rehearseSunset: {
    variable: 'PETSTORE_REHEARSE_SUNSET',
    flag: '--rehearse-sunset',
    argument: '<on|off>',
    fallback: 'off',
    about: 'in staging, answer deprecated operations as they will be answered once removed',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

/** What the same variables mean to commands that talk to a server instead of being one. */
export const CLIENT_SETTINGS = {
  baseUrl: {
    ...SETTINGS.baseUrl,
    fallback: DEFAULT_SERVERS.production,
    about: 'server to talk to, ending in /v1',
  },
  apiKey: {
    ...SETTINGS.apiKey,
    about: 'API key to send; prefer the variable, since others can see flags',
  },
} as const satisfies Partial<Record<SettingName, Setting>>
