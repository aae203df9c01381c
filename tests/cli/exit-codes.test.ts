import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT_CODES, type Exit } from '../../src/operator-error.ts'
import { freshPostgresUrl, query } from '../support/postgres.ts'
import { freshSqliteUrl, pathOf, petstore } from '../support/process.ts'
import { makeStore } from '../support/store.ts'

const UNIT = readFileSync(join(import.meta.dir, '../../deploy/petstore.service'), 'utf8')
const NOT_RETRIED = /^RestartPreventExitStatus=(.+)$/m.exec(UNIT)?.[1]?.split(' ').map(Number)
const NOBODY = '65534'
/** Root may write everywhere, so another user tries. */
const AS_NOBODY =
  process.geteuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []

/** What is wrong with a database, made by a function that gets its URL and may return another one. */
type Fault = [what: string, exit: Exit, make: (url: string) => unknown]

const without = (sql: string) => async (url: string) => {
  await makeStore(url, [])
  const role = `role_${crypto.randomUUID().slice(0, 8)}`
  await query(url, `CREATE ROLE ${role} LOGIN; ${sql.replaceAll('ROLE', role)}`)
  return Object.assign(new URL(url), { username: role }).href
}

const OF_SQLITE: Fault[] = [
  ['a folder', 'invalid', url => mkdirSync(pathOf(url))],
  ['a file as its folder', 'invalid', url => Bun.write(pathOf(url), 'x').then(() => `${url}/animals.db`)],
  [
    'a file that may not be written',
    'invalid',
    url => makeStore(url, []).then(() => chmodSync(pathOf(url), 0o444)),
  ],
  ['a folder that may not be written', 'invalid', url => chmodSync(dirname(pathOf(url)), 0o555)],
  ['a folder that may not be entered', 'invalid', url => chmodSync(dirname(pathOf(url)), 0o600)],
  ['a file of another program', 'refused', url => writeFileSync(pathOf(url), 'x'.repeat(5000))],
  [
    'a database of another program',
    'refused',
    url => new Database(pathOf(url)).run('CREATE TABLE x (y)').changes,
  ],
]
const OF_POSTGRES: Fault[] = [
  ['no such database', 'missing', url => url.replace(/petstore\w*$/, 'none')],
  ['no such role', 'invalid', url => Object.assign(new URL(url), { username: 'none' }).href],
  [
    'an encoding other than UTF8',
    'refused',
    async url => {
      const name = `latin_${crypto.randomUUID().slice(0, 8)}`
      await query(url, `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
      return Object.assign(new URL(url), { pathname: name }).href
    },
  ],
  ['a privilege that is missing', 'refused', without('GRANT SELECT ON ALL TABLES IN SCHEMA public TO ROLE')],
  ['no privilege to read the tables', 'refused', without('')],
  [
    'no privilege to create the tables',
    'refused',
    async url => {
      await query(
        url,
        `CREATE ROLE ${'r'}_${new URL(url).pathname.slice(1)} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`,
      )
      return Object.assign(new URL(url), { username: `r_${new URL(url).pathname.slice(1)}` }).href
    },
  ],
  [
    'a server that is read-only for now',
    'unavailable',
    async url =>
      void (await query(
        url,
        `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
      )),
  ],
]

describe.each([
  ['SQLite', freshSqliteUrl, OF_SQLITE],
  ['PostgreSQL', freshPostgresUrl, OF_POSTGRES],
] as const)(
  'with a fault of %s, serve and its check say in one sentence what is wrong, and systemd tries again only if that can help',
  (_engine, fresh, faults) => {
    test.each([...faults])('%s: %s', async (_what, exit, make) => {
      const url = await fresh()
      const made = await make(url)
      if (AS_NOBODY.length > 0 && url.startsWith('sqlite:'))
        spawnSync('chown', ['-R', NOBODY, dirname(pathOf(url))])
      const variables = { DATABASE_URL: typeof made === 'string' ? made : url }
      const { code } = EXIT_CODES[exit]
      for (const command of ['serve', 'serve --check']) {
        const ran = await petstore(command.split(' '), variables, { within: AS_NOBODY })
        expect([command, ran]).toEqual([
          command,
          { code: expect.any(Number), stdout: '', stderr: expect.stringMatching(/^petstore: [^\n]+\n$/) },
        ])
        expect([command, ran.stderr, ran.code]).toEqual([command, ran.stderr, code])
      }
      expect(NOT_RETRIED?.includes(code)).toBe(exit !== 'unavailable')
    })
  },
)

test('an empty backup is refused', async () => {
  const url = await freshSqliteUrl()
  writeFileSync(`${pathOf(url)}.backup`, '')
  const { code, stderr } = await petstore(['restore', `${pathOf(url)}.backup`], { DATABASE_URL: url })
  expect([code, stderr]).toEqual([6, expect.stringContaining('is empty')])
})
