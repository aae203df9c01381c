import { describe, expect, test } from 'bun:test'
import { connectionsOf, type PostgresDatabase } from '../store/database.ts'
import { parseDatabaseUrl } from './database-url.ts'

const ENCODE = 'percent-encode the password (%25 for %, %23 for #, %2F for /, %3F for ?, %40 for @)'
const ONCE = 'must have only these parameters, each once: sslmode, '
const NO_HOST = 'contains a host that cannot be parsed'
const ONE_HOST = 'must contain one host; HAProxy or PgBouncer can find the primary of several'

test.each([
  ...['sqlite://data/x.db', 'sqlite:///data/x.db', 'sqlite:////data/x.db'].map(
    url => [url, 'without //'] as const,
  ),
  ...[
    '~/x.db',
    '~pets/x.db',
    '$HOME/x.db',
    `$\{HOME}/x.db`,
    'a/$(pwd)/x.db',
    'a/`pwd`/x.db',
    '"a b.db"',
    "'x.db'",
  ].map(path => [`sqlite:${path}`, 'only a shell expands'] as const),
  ['sqlite:data/', 'must end in the name of a file'],
  ['sqlite:.', 'must end in the name of a file'],
  ['sqlite:data/..', 'must end in the name of a file'],
])('%s, which would create a folder or a file of that name, is refused: %s', (url, why) =>
  expect(() => parseDatabaseUrl(url)).toThrow(why),
)

test('a path that contains a NUL is refused', () =>
  expect(() => parseDatabaseUrl('sqlite:a\0.db')).toThrow('must be "sqlite:" followed by the path'))

test.each(['data/x.db', '/data/x.db', '../x.db', 'C~1/x$.db', "o'hara.db", 'a b/.x'])(
  'a path of a file is accepted: %s',
  path => expect(parseDatabaseUrl(`sqlite:${path}`)).toMatchObject({ engine: 'sqlite', path }),
)

describe('a URL of PostgreSQL', () => {
  test.each([
    ['postgres://u:p@h:5432/db', {}],
    ['postgresql:///db', {}],
    ['postgres://u:p@/db?host=/cloudsql/p:r:i', {}],
    ['postgres://u:p%2F%40@h/db', {}],
    ['postgres://u:p%40ss@h:5432/db?sslmode=disable', { publicName: 'postgres://h:5432/db' }],
    ['postgres://u:p&=:;+~!$*@[::1]:5432/db', { publicName: 'postgres://[::1]:5432/db' }],
    ['postgres://h/db?options=-c%20search_path%3Dmine', {}],
    ['postgres://h/db?pgbouncer=true', { pgbouncer: true }],
    ['postgres://h/db?connection_limit=4', { connections: 4 }],
    ['postgres://h/db?connection_limit=1000', { connections: 1000 }],
    ['postgres://h/db?sslmode=require', { url: 'postgres://h/db?sslmode=require&uselibpqcompat=true' }],
  ])('%s is understood', (url, parts) => {
    expect(parseDatabaseUrl(url)).toMatchObject({ engine: 'postgres', pgbouncer: false, ...parts })
  })

  test.each([
    ['postgres://h/db?pgbouncer=yes', 'must have pgbouncer=true or pgbouncer=false'],
    ['postgres://h/db?connection_limit=3', 'must have a connection_limit from 4 to 1000'],
    ['postgres://h/db?connection_limit=1001', 'must have a connection_limit from 4 to 1000'],
    [
      'postgres://h/db?sslmode=prefer',
      'must have one of these as sslmode: disable, require, verify-ca, verify-full',
    ],
    ['postgres://h/db?sslmode=verify-ca', 'must have sslrootcert with sslmode=verify-ca'],
    ['postgres://h/db?sslmode=verify-ca&sslrootcert=', 'must have sslrootcert with sslmode=verify-ca'],
    ['postgres://u:p@a:1,b:2/db', ONE_HOST],
    ['postgres://a,b/db', ONE_HOST],
    ['postgres:///db?host=a,b', ONE_HOST],
    ...[
      'sslmod=verify-full',
      'conection_limit=4',
      'pg_bouncer=true',
      'ssl=true',
      'target_session_attrs=any',
    ].map(parameter => [`postgres://h/db?${parameter}`, ONCE] as const),
    ['postgres://h/db?sslmode=verify-full&sslmode=disable', ONCE],
    ['sqlite:x.db ', 'must have no whitespace around the path'],
    ['sqlite: x.db', 'must have no whitespace around the path'],
    ['postgres://h:port/db', NO_HOST],
    ['postgres://h:99999/db', NO_HOST],
    ...['pass/word', '12/34', '12?34', 'a#b', '100%', '5%off', '%ff', 'p@ss', '12?x=1&y'].map(
      password => [`postgres://u:${password}@h/db`, ENCODE] as const,
    ),
    ...['h/db?password=p@ss', 'h/d%ff', 'h/db?user=%ff'].map(rest => [`postgres://${rest}`, ENCODE] as const),
  ])('%s is refused: %s', (url, why) => {
    expect(() => parseDatabaseUrl(url)).toThrow(why)
  })

  test('no sentence shows a part of it', () => {
    for (const rest of ['?password=a&canary', '?canary=1', ':canary/db', '?host=canary,canary'])
      expect(() => parseDatabaseUrl(`postgres://h${rest}`)).toThrow(/^(?!.*canary)/)
  })

  test('its threads share the connections that it allows, and each has at least four', () => {
    const database = parseDatabaseUrl('postgres://h/db?connection_limit=11') as PostgresDatabase
    expect([1, 2, 3, 4].map(threads => connectionsOf(database, threads))).toEqual([11, 5, 4, 4])
  })
})
