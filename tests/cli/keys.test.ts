import { beforeAll, describe, expect, test } from 'bun:test'
import { createKey, petstore, type Ran } from '../support/service/cli.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { HINTED } from '../support/service/process.ts'

const LIVE_KEY = /^pets_live_[0-9A-Za-z]{33}$/

describe('petstore keys', () => {
  let database: string
  const keys = (...args: string[]): Promise<Ran> => petstore(['keys', ...args], { DATABASE_URL: database })
  const listed = async (name: string): Promise<string> =>
    (await keys('list')).stdout.split('\n').find(line => line.includes(name)) ?? ''

  beforeAll(async () => {
    database = await freshSqliteUrl()
  })

  test('create prints the secret alone on standard output, for scripts, and the rest beside it', async () => {
    const { code, stdout, stderr } = await keys('create', '--create', '--name', 'shop front')
    expect(code).toBe(0)
    expect(stdout.trim()).toMatch(LIVE_KEY)
    expect(stderr).toContain('shop front')
    expect(stderr).not.toContain(stdout.trim())
  })

  test('list shows name, prefix, times and state, and never a secret', async () => {
    const secret = await createKey(database, 'listed')
    const { stdout } = await keys('list')
    expect(stdout.split('\n')[0]).toMatch(/^ID +NAME +PREFIX +CREATED +LAST USED +EXPIRES +STATE$/)
    const line = await listed('listed')
    expect(line).toMatch(
      /^key_\w+ +listed +pets_live_\w{4}… +\d{4}-\d\d-\d\d \d\d:\d\d +never +never +active$/,
    )
    expect(stdout).not.toContain(secret)
    expect(stdout).not.toContain(secret.slice(0, 15))
  })

  test('a key for staging has its own prefix', async () => {
    const key = await createKey(await freshSqliteUrl(), 'test', '--env', 'staging')
    expect(key).toMatch(/^pets_test_[0-9A-Za-z]{33}$/)
  })

  const expiries: [string, RegExp][] = [
    ['12h', /\d{4}-/],
    ['90d', /\d{4}-/],
    ['2099-01-31', /2099-01-31 00:00/],
    ['2099-01-31T12:30:00Z', /2099-01-31 12:30/],
    ['2099-01-31T12:30:00+02:00', /2099-01-31 10:30/],
  ]
  test.each(expiries)('create --expires %s is understood', async (when, shown) => {
    const name = `until ${when}`
    await createKey(database, name, '--expires', when)
    expect(await listed(name)).toMatch(shown)
    expect(await listed(name)).toEndWith('active')
  })

  const badExpiries = ['tomorrow', '', '0d', '2099-02-30']
  test.each(badExpiries)('create --expires %p is refused with a sentence, and makes no key', async when => {
    const before = (await keys('list')).stdout
    const { code, stdout, stderr } = await keys('create', '--name', 'bad', `--expires=${when}`)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^petstore: --expires .*\.\n$/)
    expect((await keys('list')).stdout).toBe(before)
  })

  test.each(['', '   ', 'two\nlines', '\u001b[31mred'])(
    'a name must be a line of text: %p is refused',
    async name => {
      const { code, stderr } = await keys('create', `--name=${name}`)
      expect(code).toBe(2)
      expect(stderr).toBe('petstore: The name of a key must be a line of text.\n')
    },
  )

  test('create without a name says what is missing', async () => {
    const { code, stderr } = await keys('create')
    expect(code).not.toBe(0)
    expect(stderr).toContain('--name')
  })

  test('revoke takes a name that one key has; the list then says so', async () => {
    await createKey(database, 'leaver')
    const { code, stdout } = await keys('revoke', 'leaver')
    expect(code).toBe(0)
    expect(stdout).toContain('"leaver"')
    expect(await listed('leaver')).toEndWith('revoked')
    expect((await keys('revoke', 'leaver')).stderr).toContain('No valid key')
  })

  test('revoke refuses a name that several keys have, and takes the id instead', async () => {
    await Promise.all([createKey(database, 'twin'), createKey(database, 'twin')])
    const refused = await keys('revoke', 'twin')
    expect(refused.code).toBe(2)
    const ids = refused.stderr.match(/key_\w+/g) ?? []
    expect(ids).toHaveLength(2)
    expect((await keys('revoke', ids[0] ?? '')).code).toBe(0)
    const { stdout } = await keys('revoke', 'twin')
    expect(stdout).toContain(ids[1] ?? 'nothing')
  })

  test('revoke of an unknown key is a sentence and an exit code', async () => {
    const { code, stderr } = await keys('revoke', 'nobody')
    expect(code).toBe(3)
    expect(stderr).toBe(`petstore: No valid key has the id or name "nobody". See: ${HINTED} keys list\n`)
  })
})
