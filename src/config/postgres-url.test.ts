import { describe, expect, test } from 'bun:test'
import { parsePostgres } from './postgres-url.ts'

const parsed = (url: string) => {
  const database = parsePostgres(url, 'public')
  if (typeof database !== 'object') throw new Error(database)
  return database
}

describe('a URL of PostgreSQL', () => {
  test.each([
    ['postgres://u:p@h:5432/db', ['postgres://u:p@h:5432/db']],
    ['postgres://u:p@a:1,b:2/db', ['postgres://u:p@a:1/db', 'postgres://u:p@b:2/db']],
    ['postgresql:///db', ['postgresql://localhost/db']],
    ['postgresql://', ['postgresql://localhost']],
    ['postgres://u:p@/db?host=/run/pg', ['postgres://u:p@%2Frun%2Fpg/db']],
    ['postgres://u:p@/db?host=/cloudsql/p:r:i', ['postgres://u:p@%2Fcloudsql%2Fp%3Ar%3Ai/db']],
    ['postgres:///db?host=a,b&port=1,2', ['postgres://a:1/db', 'postgres://b:2/db']],
    ['postgres://u:p@localhost/db?host=/run/pg', ['postgres://u:p@%2Frun%2Fpg/db']],
    ['postgres:///db?host=a,b&port=1', ['postgres://a:1/db', 'postgres://b:1/db']],
    ['postgres://h/db?schema=public&pgbouncer=true', ['postgres://h/db']],
    ['postgres://h/db?sslmode=require', ['postgres://h/db?sslmode=require&uselibpqcompat=true']],
    ['postgres://h/db?sslmode=verify-full&sslrootcert=system', ['postgres://h/db?sslmode=verify-full']],
    ['postgres://h/db?sslrootcert=system', ['postgres://h/db?sslmode=verify-full']],
    [
      'postgres://h/db?options=-c%20a=b&schema=s',
      ['postgres://h/db?options=-c%20a%3Db%20-c%20search_path%3D%22s%22'],
    ],
    ['postgres://h/db?target_session_attrs=primary&connect_timeout=3', ['postgres://h/db?connect_timeout=3']],
  ])('%s leads to %p', (url, urls) => {
    expect(parsed(url).urls).toEqual(urls)
  })

  test.each([
    ['postgres://h/db?pgbouncer=yes', 'must have true or false as pgbouncer'],
    ['postgres://h/db?max=2', 'must have a number from 3 to 1000 as connection_limit or max'],
    [
      'postgres://h/db?sslmode=prefer',
      'must have disable, require, verify-ca, verify-full, no-verify as sslmode',
    ],
    [
      'postgres://h/db?sslmode=require&sslrootcert=system',
      'must have sslmode=verify-full with sslrootcert=system',
    ],
    ['postgres://h/db?sslmode=verify-ca', 'must have sslrootcert with sslmode=verify-ca'],
    [
      'postgres://h/db?target_session_attrs=standby',
      'must have read-write or primary or any as target_session_attrs',
    ],
    ['postgres://a,b/db?target_session_attrs=any', 'must have read-write or primary as target_session_attrs'],
    ['postgres://h:port/db', 'names a host that cannot be understood'],
    [`postgres://${'h,'.repeat(10)}h/db`, 'must name at most 10 hosts'],
  ])('%s is refused: %s', (url, why) => {
    expect(parsePostgres(url, 'public')).toBe(why)
  })

  test('with a pooler and a schema says how to have both', () => {
    expect(parsePostgres('postgres://h/db?pgbouncer=true&schema=s', 'public')).toContain('ALTER ROLE')
  })

  test('of anything else is none', () => {
    expect(parsePostgres('mysql://h/db', 'public')).toBeUndefined()
  })
})
