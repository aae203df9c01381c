import { describe, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { petstore } from '../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { API_KEY, startService } from '../support/service/service.ts'

const SECRET = 'canary-5f3a9e'

/** A file as written by an orchestrator or an editor. */
async function secretFile(content: string | Uint8Array): Promise<string> {
  const path = join(await freshFolder(), 'secret')
  await writeFile(path, content)
  return path
}

describe('a secret can stand in a file', () => {
  test('the key and the address of the database are taken from the files that the variables name', async () => {
    const databaseUrl = await freshSqliteUrl()
    const service = await startService({
      databaseUrl,
      variables: {
        DATABASE_URL: '',
        DATABASE_URL_FILE: await secretFile(`${databaseUrl}\n`),
        PETSTORE_API_KEY: '',
        PETSTORE_API_KEY_FILE: await secretFile(`${API_KEY}\r\n`),
      },
    })
    const added = await service.post('{"name":"Rex","categoryId":1}')
    expect(added.status).toBe(201)
    const listed = await petstore(['pets', 'list', '--base-url', `${service.url}/v1`], {
      PETSTORE_API_KEY_FILE: await secretFile(API_KEY),
    })
    expect(listed.stdout).toContain('Rex')
    expect(await service.stop()).toBe(0)
    const exported = await petstore(['pets', 'export'], { DATABASE_URL: databaseUrl })
    expect(exported.stdout).toContain('Rex')
  })

  test('a flag wins over the file, which is then not read', async () => {
    const databaseUrl = await freshSqliteUrl()
    const { code } = await petstore(['serve', '--check', '--database-url', databaseUrl], {
      DATABASE_URL_FILE: '/nowhere/at/all',
    })
    expect(code).toBe(0)
  })

  test('doctor says that a value came from a file, shows no secret, and knows these variables', async () => {
    const DATABASE_URL_FILE = await secretFile(`postgres://user:${SECRET}@127.0.0.1:1/pets\n`)
    const PETSTORE_API_KEY_FILE = await secretFile(`${SECRET}-${SECRET}`)
    const { stdout, stderr } = await petstore(['doctor', '--port', '1'], {
      DATABASE_URL_FILE,
      PETSTORE_API_KEY_FILE,
    })
    expect(stdout).toMatch(/^DATABASE_URL +postgres:\/\/127\.0\.0\.1:1\/pets +DATABASE_URL_FILE$/m)
    expect(stdout).toMatch(/^PETSTORE_API_KEY +\(secret\) +PETSTORE_API_KEY_FILE$/m)
    expect(stdout).not.toContain('misspelt')
    expect(stdout + stderr).not.toContain(SECRET)
  })
})

describe('a file that cannot serve stops the start with one sentence that shows neither value nor path', () => {
  const tooLarge = SECRET.repeat(6000)
  const cases: [what: string, file: () => Promise<string>, reason: string][] = [
    ['is missing', async () => `/nowhere/${SECRET}`, 'cannot be read (ENOENT)'],
    ['is the secret itself', async () => `postgres://u:${SECRET}@h/d`, 'cannot be read (ENOENT)'],
    ['is a folder', async () => folderNamed(SECRET), 'is not a file'],
    ['never ends', async () => '/dev/zero', 'is not a file'],
    ['is empty', () => secretFile('\n'), 'is empty'],
    ['is larger than 64 KiB', () => secretFile(tooLarge), 'is larger than 64 KiB'],
    ['has several lines', () => secretFile(`${SECRET}\n${SECRET}\n`), 'has more than one line'],
    ['is not text', () => secretFile(new Uint8Array([0x70, 0xff, 0xfe])), 'is not valid UTF-8'],
  ]
  for (const variable of ['DATABASE_URL', 'PETSTORE_API_KEY'])
    test.each(cases)(`${variable}_FILE %s`, async (_what, file, reason) => {
      const valid = variable === 'DATABASE_URL' ? {} : { DATABASE_URL: await freshSqliteUrl() }
      for (const command of [['serve'], ['doctor']]) {
        const { code, stdout, stderr } = await petstore(command, {
          ...valid,
          PORT: '0',
          [`${variable}_FILE`]: await file(),
        })
        expect(code).toBe(command[0] === 'serve' ? 2 : 1)
        const said = command[0] === 'serve' ? stderr : stdout
        expect(said).toContain(
          `${variable}_FILE must be the path of a file that holds the value, but it ${reason}.`,
        )
        expect(stdout + stderr).not.toContain(SECRET)
      }
    })

  test('the value and the file are both given', async () => {
    const { code, stderr } = await petstore(['serve'], {
      DATABASE_URL: await freshSqliteUrl(),
      DATABASE_URL_FILE: await secretFile(await freshSqliteUrl()),
    })
    expect(code).toBe(2)
    expect(stderr).toBe('petstore: DATABASE_URL and DATABASE_URL_FILE are both set. Leave one of them out.\n')
  })

  test('what the file holds is held to the same rule as the variable', async () => {
    const { code, stderr } = await petstore(['serve'], {
      DATABASE_URL_FILE: await secretFile(`mysql://${SECRET}`),
    })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^petstore: DATABASE_URL \(--database-url\) must be [^\n]+\.\n$/)
    expect(stderr).not.toContain(SECRET)
  })
})

async function folderNamed(name: string): Promise<string> {
  const path = join(await freshFolder(), name)
  await mkdir(path)
  return path
}
