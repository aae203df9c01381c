import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
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
const FAULTS: [what: string, exit: Exit, make: (url: string) => unknown][] = [
  ['a folder', 'invalid', url => mkdirSync(pathOf(url))],
  ['a file as its folder', 'invalid', url => Bun.write(pathOf(url), 'x').then(() => `${url}/animals.db`)],
  ['a read-only file', 'invalid', url => makeStore(url).then(() => chmodSync(pathOf(url), 0o444))],
  ['a folder that may not be written', 'invalid', url => chmodSync(dirname(pathOf(url)), 0o555)],
  ['a folder that may not be entered', 'invalid', url => chmodSync(dirname(pathOf(url)), 0o600)],
  ['a file of another program', 'refused', url => writeFileSync(pathOf(url), 'x'.repeat(5000))],
  [
    'a database of another program',
    'refused',
    url => void new Database(pathOf(url)).run('CREATE TABLE x (y)'),
  ],
  ['a server that is read-only for now', 'unavailable', readOnlyServer],
]

async function readOnlyServer(): Promise<string> {
  const url = await freshPostgresUrl()
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`)
  return url
}

test.each(FAULTS)(
  'of %s, serve and its check say in one sentence what is wrong: %s, and systemd tries again only if that can help',
  async (_what, exit, make) => {
    const url = await freshSqliteUrl()
    const made = await make(url)
    if (AS_NOBODY.length > 0) spawnSync('chown', ['-R', NOBODY, dirname(pathOf(url))])
    const variables = { DATABASE_URL: typeof made === 'string' ? made : url }
    const { code } = EXIT_CODES[exit]
    for (const command of ['serve', 'serve --check']) {
      const ran = await petstore(command.split(' '), variables, { within: AS_NOBODY })
      const stderr = expect.stringMatching(/^petstore: [^\n]+\n$/)
      expect([command, ran]).toEqual([command, { code, stdout: '', stderr }])
    }
    expect(NOT_RETRIED?.includes(code)).toBe(exit !== 'unavailable')
  },
)

test('a backup from standard input is refused', async () => {
  const { code, stderr } = await petstore(['restore', '-'], { DATABASE_URL: await freshSqliteUrl() })
  expect([code, stderr]).toEqual([2, expect.stringContaining('A backup must be a file')])
})
