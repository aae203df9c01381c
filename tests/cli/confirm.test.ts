import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createKey, petstore } from '../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { commandLine, environmentWith } from '../support/service/process.ts'
import { startService } from '../support/service/service.ts'
import { inTerminal } from '../support/terminal/command.ts'

const QUESTION = 'Go on? [y/N] '

const count = async (store: string): Promise<number> =>
  (await petstore(['pets', 'export', '--database-url', store])).stdout.split('\n').length - 1

const keysIn = async (store: string): Promise<{ name: string; state: string }[]> =>
  JSON.parse((await petstore(['keys', 'list', '--json', '--database-url', store])).stdout)

async function twoAnimals(): Promise<string> {
  const file = join(await freshFolder(), 'animals.ndjson')
  await Bun.write(file, '{"name":"Rex","categoryId":7}\n'.repeat(2))
  return file
}

describe.each([
  [
    'an import',
    async () => ['pets', 'import', await twoAnimals()],
    2,
    /adds 2 animals to production \(sqlite:/,
  ],
  ['the demo', async () => ['demo'], 52, /adds sample animals to production \(sqlite:/],
])('%s into production', (_name, command, added, warning) => {
  test('asks first in a terminal, and goes on only after a yes', async () => {
    const store = await freshSqliteUrl()
    await createKey(store, 'x')
    const args = [...(await command()), '--database-url', store]
    for (const no of ['\n', 'n\n', 'yesterday\n', '\x04']) {
      const { code, text } = await inTerminal(args, {}, { to: QUESTION, with: no })
      expect(text).toMatch(warning)
      expect(text).toContain('petstore: Nothing was changed.')
      expect(code).toBe(1)
      expect(await count(store)).toBe(0)
    }
    expect((await inTerminal(args, {}, { to: QUESTION, with: 'y\n' })).code).toBe(0)
    expect(await count(store)).toBe(added)
  })

  test('does not ask with --yes, and needs it where there is no terminal', async () => {
    const store = await freshSqliteUrl()
    await createKey(store, 'x')
    const args = [...(await command()), '--database-url', store]
    const refused = await petstore(args)
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/^petstore: This adds [^\n]+ --yes confirms it\.\n$/)
    expect(await count(store)).toBe(0)
    const { code, text } = await inTerminal([...args, '--yes'])
    expect(text).not.toContain(QUESTION)
    expect(code).toBe(0)
    expect(await count(store)).toBe(added)
  })

  test('staging is not asked about', async () => {
    const store = await freshSqliteUrl()
    await createKey(store, 'x', '--env', 'staging')
    const { code } = await petstore([...(await command()), '--database-url', store, '--env', 'staging'])
    expect(code).toBe(0)
  })
})

describe('an import', () => {
  test('over HTTP asks too, unless the key is one of staging', async () => {
    const databaseUrl = await freshSqliteUrl()
    const staging = await createKey(databaseUrl, 'test', '--env', 'staging')
    const service = await startService({
      databaseUrl,
      variables: { PETSTORE_ENV: 'staging', PETSTORE_API_KEY: 'any-configured-key-0123456789' },
    })
    const run = async (key: string) =>
      (
        await petstore(['pets', 'import', await twoAnimals(), '--base-url', `${service.url}/v1`], {
          PETSTORE_API_KEY: key,
        })
      ).code
    expect(await run(staging)).toBe(0)
    expect(await run('any-configured-key-0123456789')).toBe(2)
    await service.stop()
  })

  test('that only checks does not ask', async () => {
    const { code } = await petstore(['pets', 'import', await twoAnimals(), '--dry-run'])
    expect(code).toBe(0)
  })

  test('from a pipe into production needs --yes even in a terminal, before it reads', async () => {
    const store = await freshSqliteUrl()
    await createKey(store, 'x')
    const { code, text } = await inTerminal(['pets', 'import', '-', '--database-url', store])
    expect(text).toContain('--yes confirms it')
    expect(code).toBe(2)
  })

  test('that is interrupted at the question adds nothing', async () => {
    const store = await freshSqliteUrl()
    await createKey(store, 'x')
    const args = ['pets', 'import', await twoAnimals(), '--database-url', store]
    const { code } = await inTerminal(args, {}, { to: QUESTION, with: '\x03' })
    expect(code).not.toBe(0)
    expect(await count(store)).toBe(0)
  })
})

describe('keys revoke', () => {
  test('asks before it revokes the last valid key, and only then', async () => {
    const store = await freshSqliteUrl()
    await createKey(store, 'first')
    await createKey(store, 'second')
    const revoke = (...args: string[]) => ['keys', 'revoke', ...args, '--database-url', store]
    expect((await petstore(revoke('first'))).code).toBe(0)

    const refused = await petstore(revoke('second'))
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'petstore: "second" is the last valid key of production: without it no client has access. There is no terminal to ask; --yes confirms it.\n',
    })
    const { code, text } = await inTerminal(revoke('second'), {}, { to: QUESTION, with: 'no\n' })
    expect(text).toContain('is the last valid key')
    expect(code).toBe(1)
    expect((await keysIn(store)).map(({ state }) => state)).toEqual(['revoked', 'active'])

    expect((await petstore(revoke('second', '--yes'))).code).toBe(0)
    expect((await keysIn(store)).map(({ state }) => state)).toEqual(['revoked', 'revoked'])
  })

  test('a person can say yes', async () => {
    const store = await freshSqliteUrl()
    await createKey(store, 'only')
    const { code, text } = await inTerminal(
      ['keys', 'revoke', 'only', '--database-url', store],
      {},
      { to: QUESTION, with: 'YES\n' },
    )
    expect(text).toContain('Revoked key_')
    expect(code).toBe(0)
  })
})

test('an answer that is piped in is no answer', async () => {
  const store = await freshSqliteUrl()
  await createKey(store, 'x')
  const child = Bun.spawn(commandLine('demo', '--database-url', store), {
    env: environmentWith({}),
    stdin: new Blob(['y\n']),
    stdout: 'ignore',
    stderr: 'ignore',
  })
  expect(await child.exited).toBe(2)
  expect(await count(store)).toBe(0)
})
