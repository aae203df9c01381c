import { Database } from 'bun:sqlite'
import { beforeEach, expect, test } from 'bun:test'
import { newKey } from '../../src/keys/api-key.ts'
import { createKey, freshSqliteUrl, inTerminal, pathOf, petstore } from '../support/process.ts'
import { addKey, openStore } from '../support/store.ts'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

let database: string
let path: string
/** Far from UTC, in which all times are given. */
const keys = (...args: string[]) => petstore(['keys', ...args], { DATABASE_URL: database, TZ: 'Asia/Tokyo' })
const stored = async () => {
  await using store = await openStore(database)
  return store.keys.list()
}

beforeEach(async () => {
  database = await freshSqliteUrl()
  path = pathOf(database)
  await addKey(database, 'only')
})

test('create prints the secret alone on standard output, and beside it which database has it', async () => {
  const { code, stdout, stderr } = await keys('create', '--name', 'shop front')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^pets_live_[0-9A-Za-z]{33}\n$/)
  expect(stderr).toBe(
    `Database of production: ${path}\nAPI key "shop front" for production. It was written to standard output, only this once.\n`,
  )
  expect(await createKey(await freshSqliteUrl(), 'test', '--env', 'staging')).toStartWith('pets_test_')
})

test('create and list with --json have everything but the secret of an earlier key', async () => {
  const args = ['create', '--name', 'a "b"', '--expires', '2099-01-31', '--json']
  const { key, ...made } = JSON.parse((await keys(...args)).stdout)
  expect(key).toMatch(/^pets_live_\w{33}$/)
  const expiresAt = '2099-01-31T00:00:00.000Z'
  const id = expect.stringMatching(/^key_\w+$/)
  expect(made).toEqual({ id, name: 'a "b"', expiresAt, environment: 'production', database: path })
  using file = new Database(path)
  file.run("UPDATE api_keys SET last_used_at = 1000 WHERE name = 'only'")
  const { stdout, stderr } = await keys('list', '--json')
  expect(stderr).toBe('')
  const other = { expiresAt: null, revokedAt: null, lastUsedAt: new Date(1000).toJSON(), state: 'active' }
  const prefix = `${key.slice(0, 14)}…`
  const latest = { id: made.id, name: 'a "b"', prefix, createdAt: TIME, expiresAt, deprecatedCalls: 0 }
  expect(JSON.parse(stdout)).toMatchObject({ database: path, keys: [{ name: 'only', ...other }, latest] })
  expect(stdout).not.toContain(key)
})

test('create refuses what is no name, and makes no key', async () => {
  const before = await stored()
  const stderr = expect.stringMatching(/^petstore: --name must say what [^\n]+\n$/)
  for (const name of ['', ' ', 'two\nlines', `the key ${newKey('production', 'x').key}`])
    expect(await keys('create', `--name=${name}`)).toMatchObject({ code: 2, stderr })
  expect(await stored()).toEqual(before)
})

test('a key that cannot be stored is not shown', async () => {
  using full = new Database(path)
  // Like a full disk, which leaves no page for another key.
  full.run("CREATE TRIGGER full BEFORE INSERT ON api_keys BEGIN SELECT raise(FAIL, 'disk is full'); END")
  for (const flags of [[], ['--json']]) {
    const { code, stdout, stderr } = await keys('create', '--name', 'lost', ...flags)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('disk is full')
    expect(stderr).not.toContain('only this once')
  }
})

test('revoke asks, says when no other key is left, and goes on only after a yes of a person', async () => {
  const refused = await keys('revoke', 'only')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(
    /This revokes key_\w+ "only" of production permanently; no other stored key is valid\. There is no terminal to ask .+; add --yes\.\n$/,
  )
  const inTerminalWith = (reply: string, ...within: string[]) => {
    const question = { to: 'Continue? [y/N] ', with: reply }
    return inTerminal(['keys', 'revoke', 'only'], { DATABASE_URL: database }, question, within)
  }
  // What a script pipes in is not what a person replies, even if the person can read the question.
  const piped = await inTerminalWith('', 'sh', '-c', 'echo yes | "$@"', 'sh')
  expect([piped.code, piped.text]).toEqual([2, expect.stringContaining('There is no terminal to ask')])
  const unseen = 'echo "Continue? [y/N] "; "$@" 2>/dev/null'
  expect((await inTerminalWith('YES\n', 'sh', '-c', unseen, 'sh')).code).toBe(2)
  for (const no of ['\n', 'yesterday\n', '\x04']) {
    const { code, text } = await inTerminalWith(no)
    expect([code, text]).toEqual([1, expect.stringContaining('petstore: Nothing was changed.')])
  }
  expect((await stored())[0]?.revokedAt).toBeUndefined()
  const { code, text } = await inTerminalWith('YES\n')
  expect({ code, revoked: text.includes('Revoked key_') }).toEqual({ code: 0, revoked: true })
  expect((await keys('list')).stdout).toMatch(/only +\w{4}… +never +- +revoked\n$/)
})

test('revoke takes a name that one key has, and the id of one of several', async () => {
  for (const name of ['leaver', 'twin', 'twin']) await addKey(database, name)
  await addKey(database, 'expired', new Date(0))
  expect((await keys('revoke', 'leaver')).stderr).toContain('"leaver" of production permanently. There is no')
  const revoked = JSON.parse((await keys('revoke', 'leaver', '--yes', '--json')).stdout)
  const id = expect.stringMatching(/^key_/)
  expect(revoked).toEqual({ id, name: 'leaver', revokedAt: TIME, database: path })
  const again = await keys('revoke', 'leaver', '--yes')
  expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('This key was revoked before.') })
  const refused = await keys('revoke', 'twin', '--yes')
  expect(refused.code).toBe(2)
  const [first = '', second = ''] = refused.stderr.match(/key_\w+/g) ?? []
  expect((await keys('revoke', first, '--yes')).code).toBe(0)
  expect((await keys('revoke', 'twin', '--yes')).stdout).toContain(second)
  expect((await keys('revoke', 'only')).stderr).toContain('no other stored key is valid.')
  const nobody = await keys('revoke', 'nobody', '--yes')
  expect(nobody.code).toBe(3)
  expect(nobody.stderr).toEndWith(`petstore: No key has this id, name or value. See: ./petstore keys list\n`)
})

test('create says if other keys have the same name, and revoke where the key of the settings is set', async () => {
  const [only] = await stored()
  const twin = await keys('create', '--name', 'only')
  const said = `Another key is named "only": ${only?.id}. Revoke either by its id.\n`
  expect([twin.code, twin.stderr]).toEqual([0, expect.stringContaining(said)])
  expect(await keys('create', '--name', 'only', '--json')).toMatchObject({ code: 0, stderr: '' })
  const { key } = newKey('production', 'configured')
  const variables = { DATABASE_URL: database, PETSTORE_SERVER_API_KEY: key }
  const { code, stderr } = await petstore(['keys', 'revoke', key, '--yes'], variables)
  const where =
    'This key is set with PETSTORE_SERVER_API_KEY (or _FILE). Remove it there, and restart the service.'
  expect([code, stderr.split('\n')[1]]).toEqual([2, `petstore: ${where}`])
})

test('revoke takes the key itself, as a word or from standard input, and nothing shows it', async () => {
  const [word, piped] = [await addKey(database, 'leaked'), await addKey(database, 'leaked too')]
  const within = ['sh', '-c', 'printf "%s\\n" "$LEAKED" | "$@"', 'sh']
  const fromInput = (key: string) =>
    petstore(['keys', 'revoke', '-', '--yes'], { DATABASE_URL: database, LEAKED: key }, { within })
  const runs = [await keys('revoke', word, '--yes'), await fromInput(piped)]
  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, expect.stringMatching(/^Revoked key_\w+ "leaked"\.\n$/)],
    [0, expect.stringMatching(/^Revoked key_\w+ "leaked too"\.\n$/)],
  ])
  const again = [await keys('revoke', word, '--yes'), await fromInput(piped), await keys('revoke', word)]
  expect(again.map(({ code }) => code)).toEqual([3, 3, 3])
  const { key: test } = newKey('staging', 'elsewhere')
  const elsewhere = await fromInput(test)
  expect(elsewhere.stderr).toEndWith(`This key is for staging: ./petstore keys revoke - --env staging\n`)
  const shown = JSON.stringify([...runs, ...again, elsewhere, await keys('list')])
  for (const key of [word, piped, test]) expect(shown).not.toContain(key)
})
