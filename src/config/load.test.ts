import { describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateApiKey } from '../keys/api-key.ts'
import { InvalidInput } from '../operator-error.ts'
import {
  type Flags,
  fileVariable,
  loadConfig,
  loadStoreConfig,
  unknownVariables,
  type Variables,
} from './load.ts'
import { SETTINGS, type Setting, type SettingName } from './settings.ts'

const SECRET = 'canary-5f3a9e'

function problemOf(flags: Flags, variables: Variables = {}): string {
  try {
    loadConfig(flags, variables)
  } catch (error) {
    if (error instanceof InvalidInput) return error.message
    throw error
  }
  return ''
}

describe('a bad value is refused with a sentence that names the setting and shows no value', () => {
  const bad: [SettingName, ...string[]][] = [
    ['port', 'http', '65536', '-1', '80.5', ''],
    ['host', 'not a host', 'http://localhost'],
    ['environment', 'prod', 'Production'],
    ['database', 'mysql://localhost/pets', 'sqlite:', 'sqlite::memory:', '/var/lib/pets.db'],
    ['database', `postgres://u:${SECRET}@[::1`],
    ['baseUrl', 'pets.example.org/v1', 'https://pets.example.org', 'https://pets.example.org/v1/'],
    ['baseUrl', 'https://pets.example.org/v1?x=1', `https://user:${SECRET}@pets.example.org/v1`],
    ['baseUrl', 'https://user@pets.example.org/v1', 'https://pets.example.org/v1#x', 'ftp://x.example/v1'],
    ['stagingBaseUrl', 'nonsense'],
    ['hasConsole', 'yes'],
    ['logLevel', 'loud', 'INFO'],
    ['apiKey', SECRET, `${SECRET} with spaces in it`, 'x'.repeat(600)],
    ['rateLimit', 'lots', '0/1s', '100001/1s', '1/2d', '1/0s'],
    ['corsOrigins', '*', 'null', 'https://a.example/path', 'https://a.example,'],
    ['threads', '0', '65', 'many'],
    ['metricsPort', 'nonsense', '65536'],
    ['tracesUrl', 'collector:4317', `https://user:${SECRET}@collector.example.org`],
    ['rehearseSunset', 'yes'],
  ]
  test.each(bad)('%s', (name, ...values) => {
    const { variable, flag } = SETTINGS[name]
    for (const value of values) {
      const problem = problemOf({ [name]: value })
      expect(problem).toStartWith(`${variable} (${flag.split(' ')[0]}) `)
      expect(problem).toEndWith('.')
      expect(problem).not.toContain(SECRET)
      if (value !== '') expect(problemOf({}, { [variable]: value })).toBe(problem)
    }
  })

  test('but the least and the most that it names are accepted', () => {
    const least = { port: '0', threads: '1', rateLimit: '1/1s', apiKey: 'x'.repeat(20) }
    const most = { port: '65535', threads: '64', rateLimit: '100000/1d', apiKey: 'x'.repeat(512) }
    expect([problemOf(least), problemOf(most)]).toEqual(['', ''])
  })

  test('all of them at once', () => {
    const flags = { port: 'http', environment: 'prod', rateLimit: 'lots', tlsKey: 'key.pem' }
    expect(problemOf(flags)).toBe(
      'PORT (--port) must be a number from 0 to 65535. ' +
        'PETSTORE_ENV (--env) must be production or staging. ' +
        'PETSTORE_RATE_LIMIT (--rate-limit) must be a count up to 100000 and a duration up to 1d, such as 100/60s. ' +
        'PETSTORE_TLS_CERT (--tls-cert) must also be set if PETSTORE_TLS_KEY is.',
    )
  })

  test('settings that do not fit together', () => {
    for (const apiKey of [generateApiKey('staging'), 'pets_test_0123456789', 'pets_live_0123456789'])
      expect(problemOf({ apiKey })).toBe(
        'PETSTORE_SERVER_API_KEY (--api-key) must be a key for production; this one is for the other environment, or mistyped.',
      )
    expect(problemOf({ apiKey: generateApiKey('staging'), environment: 'staging' })).toBe('')
    expect(problemOf({ tlsCert: 'cert.pem' })).toContain('PETSTORE_TLS_KEY (--tls-key) must also be set')
    expect(problemOf({ port: '9000', metricsPort: '9000' })).toContain('must not be the same as PORT')
    const database = (limit: number) => `postgres://127.0.0.1/animals?connection_limit=${limit}`
    expect(problemOf({ database: database(7), threads: '2' })).toContain('a connection_limit of 8 or more')
    expect(problemOf({ database: database(8), threads: '2' })).toBe('')
    expect(problemOf({ rehearseSunset: 'on' })).toContain('must be off in production')
    expect(problemOf({ rehearseSunset: 'on', environment: 'staging' })).toBe('')
  })

  test('a sampler of traces that the tracing library does not know', () => {
    const named = (OTEL_TRACES_SAMPLER: string, OTEL_TRACES_SAMPLER_ARG = '') =>
      problemOf({ tracesUrl: 'http://h' }, { OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG })
    expect(named('foo')).toStartWith('OTEL_TRACES_SAMPLER must be [parentbased_]always_on, always_off or tr')
    for (const ratio of ['1.5', '-1', '5%'])
      expect(named('traceidratio', ratio)).toBe('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.')
    for (const ratio of ['0', '1', '1.0', '.5']) expect(named('traceidratio', ratio)).toBe('')
    for (const name of ['', 'always_off', 'parentbased_traceidratio']) expect(named(name, '0.05')).toBe('')
    // Without a collector it is another program's.
    expect(problemOf({}, { OTEL_TRACES_SAMPLER: 'xray' })).toBe('')
  })
})

test('the standard variables of tracing count, or are refused where a collector is set', () => {
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://own:4318/x' }
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://all:4318' }
  const urlWith = (variables: Variables) => loadConfig({}, variables).tracesUrl
  expect(urlWith({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '', ...collector })).toBe('http://all:4318/v1/traces')
  for (const variables of [own, { ...collector, ...own }])
    expect(urlWith(variables)).toBe('http://own:4318/x')
  expect(urlWith({ ...collector, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'own:4318'],
    ['OTEL_TRACES_EXPORTER', 'none'],
  ] as const) {
    expect(problemOf({}, { ...collector, [name]: value })).toStartWith(`${name} must be `)
    if (name !== 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') expect(problemOf({}, { [name]: value })).toBe('')
  }
})

test('a flag wins over the variable, an empty variable counts as unset, and defaults fill the rest', () => {
  const config = loadConfig({ port: '0' }, { PORT: 'nonsense', PETSTORE_ENV: '', PETSTORE_BASE_URL: '' })
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 0,
    environment: 'production',
    database: { engine: 'sqlite', path: 'data/production.db' },
    threads: 1,
    logLevel: 'info',
  })
})

describe('a variable whose name is nearly that of a setting', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['DATABASE_URLS', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['PETSTORE_DATABASE_URL', 'DATABASE_URL'],
    ['DATABSE_URL_FILE', 'DATABASE_URL'],
    ['PROT', 'PORT'],
    ['PETSTOR_ENV', 'PETSTORE_ENV'],
    ['PETSTORE_EVN', 'PETSTORE_ENV'],
    ['PET_STORE_ENV', 'PETSTORE_ENV'],
    ['PETSTORE_ENVIRONMENT', 'PETSTORE_ENV'],
    ['PETSTORE_SERVER_APIKEY', 'PETSTORE_SERVER_API_KEY'],
    ['OTEL_EXPORTER_OTLP_ENDPONT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['PETSTORE_TLS_CERT_FILE', 'PETSTORE_TLS_CERT'],
    ['LOG_LEVEL_FILE', 'LOG_LEVEL'],
    ['PETSTORE_PORT', 'PORT'],
  ])('is refused where the setting itself is missing: %s for %s', (name, meant) => {
    const { flag } = Object.values<Setting>(SETTINGS).find(({ variable }) => variable === meant) as Setting
    expect(problemOf({}, { [name]: 'x' })).toBe(
      `${meant} (${flag.split(' ')[0]}) is misspelled as ${name}. Correct that name, or unset it.`,
    )
    expect(problemOf({}, { [name]: '' })).toBe('')
  })

  test('does no harm beside the setting, unless it has the prefix of settings', () => {
    const flags = { database: 'sqlite:x.db' }
    expect(problemOf(flags, { PETSTORE_DATABASE_URL: 'x' })).toContain('misspelled as PETSTORE_DATABASE_URL')
    for (const name of ['DATABASE_URLS', 'DATABASE_URL2']) expect(problemOf(flags, { [name]: 'x' })).toBe('')
    expect(problemOf({}, { PORT: '0', PROT: 'x' })).toBe('')
  })

  test('is none of those that shells, clients, proxies, orchestrators and other programs set', () => {
    const names =
      `HOME HOSTNAME HOSTS HOSTTYPE PORTS POST PROTO SORT PATH host port PS1 LOGNAME LOG_FORMAT SLOG_LEVEL
      RUST_LOG PGHOST PGPORT PGDATABASE DATABASE DATABASE_HOST DATABASE_USER DATABASE_NAME DATABASE_FILE DATABASE_PORT
      DATABASE_URL_REPLICA TEST_DATABASE_URL DB_URL POSTGRES_URL POSTGRES_HOST NODE_ENV BASE_URL RATE_LIMIT API_KEY THREADS
      TLS_CERT CONSOLE ENV METRICS_PORT CORS_ORIGINS PETSTORE_API_KEY PETSTORE_API_KEY_FILE PETSTORE_ONE PETSTORE_TWO
      PETSTORE_SITE PETSTORE_ADDRESS PETSTORE_LISTEN PETSTORE_CONSOLE_PORT PETSTORE_ENVOY_PORT OTEL_EXPORTER_OTLP_HEADERS
      OTEL_SERVICE_NAME`.split(/\s+/)
    expect(problemOf({}, Object.fromEntries(names.map(name => [name, 'x'])))).toBe('')
  })

  test.each(['PETSTORE', 'PETSTORE_METRICS', 'PETSTORE_STAGING'])(
    'is none of those that Kubernetes sets for a service: %s',
    service => {
      const names = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT_80_TCP', 'PORT_80_TCP_ADDR']
      const variables = Object.fromEntries(names.map(name => [`${service}_${name}`, '10.0.0.1']))
      const all = { ...variables, [`${service}_PORT`]: 'tcp://10.0.0.1:80' }
      expect([loadConfig({}, all).metricsPort, unknownVariables(all)]).toEqual([undefined, []])
    },
  )

  test('is not taken from one that is known', () => {
    const known = Object.values<Setting>(SETTINGS).map(({ variable }) => variable)
    for (const name of known) expect(problemOf({}, { [name]: 'x' })).not.toContain('misspelled')
  })
})

test('a command reads only the settings that it uses', () => {
  const config = loadStoreConfig(
    {},
    { PORT: 'abc', PETSTORE_SERVER_API_KEY: 'short', PETSTORE_ENV: 'staging' },
  )
  expect(config).toMatchObject({ environment: 'staging', database: { path: 'data/staging.db' } })
})

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-config-'))
  const fileWith = (content: string): string => {
    const path = join(folder, crypto.randomUUID())
    writeFileSync(path, content)
    return path
  }

  test('is read without its line break, and a flag wins over it', () => {
    const file = fileWith(`${SECRET}-${SECRET}\r\n`)
    expect(loadConfig({}, { PETSTORE_SERVER_API_KEY_FILE: file }).apiKey).toBe(`${SECRET}-${SECRET}`)
    const flags = { apiKey: 'another-key-0123456789' }
    expect(loadConfig(flags, { PETSTORE_SERVER_API_KEY_FILE: file }).apiKey).toBe(flags.apiKey)
  })

  test('that cannot be read or holds no value is refused, and its path is not shown', () => {
    const problem = (file: string) => problemOf({}, { PETSTORE_SERVER_API_KEY_FILE: file })
    expect(problem(join(folder, SECRET))).toBe(
      'PETSTORE_SERVER_API_KEY (--api-key) cannot be read from the file in PETSTORE_SERVER_API_KEY_FILE (ENOENT).',
    )
    expect(problem(fileWith(''))).toMatch(/^PETSTORE_SERVER_API_KEY \(--api-key\) must have 20 to 512 char/)
  })

  test('beside the variable itself is refused', () => {
    const variables = { PETSTORE_SERVER_API_KEY: SECRET, PETSTORE_SERVER_API_KEY_FILE: fileWith(SECRET) }
    expect(problemOf({}, variables)).toBe(
      'PETSTORE_SERVER_API_KEY (--api-key) and PETSTORE_SERVER_API_KEY_FILE are both set. Unset one of them.',
    )
  })
})

test('a variable with the prefix of settings is told from all settings, their files and the key of clients', () => {
  const known = Object.values<Setting>(SETTINGS).map(({ variable }) => variable)
  const others = [fileVariable('PETSTORE_SERVER_API_KEY'), 'PETSTORE_API_KEY', 'PETSTORE_FOO', 'HOME']
  const variables = Object.fromEntries([...known, ...others].map(name => [name, 'x']))
  expect(unknownVariables(variables)).toEqual(['PETSTORE_FOO'])
})

test('a value for a setting without its prefix is unknown too, unless it means nothing or the setting is there', () => {
  const bare = { METRICS_PORT: '9090', THREADS: '4', ENV: 'staging', TLS_CERT: 'a' }
  expect(unknownVariables(bare)).toEqual(Object.keys(bare))
  const others = { METRICS_PORT: 'tcp://10.0.0.1:80', THREADS: 'many', ENV: 'production' }
  expect(unknownVariables(others)).toEqual([])
  const known = { PETSTORE_THREADS: '2', PETSTORE_ENV: 'production' }
  expect(unknownVariables({ THREADS: '4', ENV: 'staging', ...known })).toEqual([])
})
