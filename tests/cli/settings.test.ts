import { describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { petstore } from '../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { expectRefusedSetting } from '../support/service/refused-setting.ts'
import { startProcess } from '../support/service/service-process.ts'

const SECRET = 'canary-5f3a9e'

describe('a bad setting stops the start with one sentence that names it', () => {
  const bad: [string, string, string][] = [
    ['PORT', '--port', 'http'],
    ['PORT', '--port', '65536'],
    ['PORT', '--port', '-1'],
    ['PORT', '--port', '80.5'],
    ['HOST', '--host', 'not a host'],
    ['HOST', '--host', 'http://localhost'],
    ['PETSTORE_ENV', '--env', 'prod'],
    ['PETSTORE_ENV', '--env', 'Production'],
    ['DATABASE_URL', '--database-url', 'mysql://localhost/pets'],
    ['DATABASE_URL', '--database-url', 'sqlite:'],
    ['DATABASE_URL', '--database-url', 'sqlite::memory:'],
    ['DATABASE_URL', '--database-url', '/var/lib/pets.db'],
    ['PETSTORE_BASE_URL', '--base-url', 'pets.example.org/v1'],
    ['PETSTORE_BASE_URL', '--base-url', 'https://pets.example.org'],
    ['PETSTORE_BASE_URL', '--base-url', 'https://pets.example.org/v1/'],
    ['PETSTORE_BASE_URL', '--base-url', 'https://pets.example.org/v1?x=1'],
    ['PETSTORE_BASE_URL', '--base-url', 'ftp://pets.example.org/v1'],
    ['PETSTORE_BASE_URL', '--base-url', `https://user:${SECRET}@pets.example.org/v1`],
    ['PETSTORE_STAGING_BASE_URL', '--staging-base-url', 'nonsense'],
    ['PETSTORE_CONSOLE', '--console', 'yes'],
    ['LOG_LEVEL', '--log-level', 'loud'],
    ['LOG_LEVEL', '--log-level', 'INFO'],
    ['LOG_FORMAT', '--log-format', 'xml'],
    ['PETSTORE_API_KEY', '--api-key', SECRET],
    ['PETSTORE_API_KEY', '--api-key', `${SECRET} with spaces in it`],
    ['PETSTORE_API_KEY', '--api-key', 'x'.repeat(600)],
  ]
  test.each(bad)('%s (%s) = %s', async (variable, flag, value) => {
    const valid = { PORT: '0', DATABASE_URL: await freshSqliteUrl() }
    await expectRefusedSetting([variable, flag, value], valid, SECRET)
  })

  test('a key of the other environment', async () => {
    const url = await freshSqliteUrl()
    const staging = await petstore(['keys', 'create', '--create', '--name', 'x', '--env', 'staging'], {
      DATABASE_URL: url,
    })
    const PETSTORE_API_KEY = staging.stdout.trim()
    const { code, stderr } = await petstore(['serve'], {
      DATABASE_URL: await freshSqliteUrl(),
      PETSTORE_API_KEY,
    })
    expect(code).toBe(2)
    expect(stderr).toBe(
      'petstore: PETSTORE_API_KEY (--api-key) is a key for staging, but this is production.\n',
    )
  })

  test('an unknown command or flag', async () => {
    const mistakes: [string[], string][] = [
      [['sevre'], "Unknown command 'sevre'. Did you mean serve?"],
      [['keys', 'lst'], "Unknown command 'lst'. Did you mean list?"],
      [['serve', '--prot', '1'], "Unknown option '--prot'. Did you mean --port?"],
      [['serve', `--api-kee=${SECRET}`], "Unknown option '--api-kee'."],
      [['serve', '--port'], "Option '--port <number>' argument missing."],
      [['ready', 'now'], "Too many arguments for 'ready'. Expected 0 arguments but got 1."],
      [['serve', '--\u001b[31m'], "Unknown option '--\\u{1b}[31m'."],
      [['keys', 'create'], "Required option '--name <name>' not specified."],
      [
        ['pets', 'list', '--limit=101'],
        "Option '--limit <number>' argument '101' is invalid. It must be an integer from 1 to 100.",
      ],
    ]
    for (const [args, sentence] of mistakes)
      expect(await petstore(args)).toEqual({
        code: 2,
        stdout: '',
        stderr: `petstore: ${sentence} --help shows what there is.\n`,
      })
  })
})

describe('a start that cannot work ends with one sentence', () => {
  test('the port is in use', async () => {
    const first = await startProcess({ databaseUrl: await freshSqliteUrl() })
    const { port } = new URL(first.url)
    const { code, stderr } = await petstore(['serve'], { PORT: port, DATABASE_URL: await freshSqliteUrl() })
    expect(code).toBe(1)
    expect(stderr).toBe(`petstore: Port ${port} on 127.0.0.1 is in use. Set PORT to another one.\n`)
    await first.stop()
  })

  test('the folder cannot be made', async () => {
    const file = join(await freshFolder(), 'file')
    await writeFile(file, '')
    for (const path of [join(file, 'data', 'animals.db'), '/proc/petstore/animals.db']) {
      const { code, stderr } = await petstore(['serve'], { PORT: '0', DATABASE_URL: `sqlite:${path}` })
      expect(code).toBe(1)
      expect(stderr).toMatch(/^petstore: [^\n]+ cannot be (?:opened|reached): [^\n]+\.\n$/)
      expect(stderr).toContain(path)
    }
  })

  test('the database is a folder', async () => {
    const { code, stderr } = await petstore(['serve'], {
      PORT: '0',
      DATABASE_URL: `sqlite:${await freshFolder()}`,
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^petstore: [^\n]+\.\n$/)
  })

  test('the host is not of this machine', async () => {
    const { code, stderr } = await petstore(['serve'], {
      HOST: '192.0.2.1',
      PORT: '0',
      DATABASE_URL: await freshSqliteUrl(),
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^petstore: [^\n]*192\.0\.2\.1[^\n]+\.\n$/)
  })
})

describe('settings', () => {
  test('all that are wrong are named at once', async () => {
    const { code, stderr } = await petstore(['serve', '--tls-key', 'key.pem'], {
      PORT: 'http',
      DATABASE_URL: `postgres://u:${SECRET}@a,b/d?target_session_attrs=any`,
      PETSTORE_ENV: 'prod',
      PETSTORE_RATE_LIMIT: 'lots',
      PETSTORE_BACKUP_EVERY: '0s',
    })
    expect(code).toBe(2)
    expect(stderr).toBe(
      'petstore: PORT (--port) must be a number from 0 to 65535. ' +
        'PETSTORE_ENV (--env) must be production or staging. ' +
        'DATABASE_URL (--database-url) must have read-write or primary as target_session_attrs. ' +
        'PETSTORE_BACKUP_EVERY (--backup-every) must be a duration from 1s to 24d, such as 30m, 6h or 1d. ' +
        'PETSTORE_RATE_LIMIT (--rate-limit) must be a count up to 100000 and a duration up to 1d, such as 100/60s. ' +
        'PETSTORE_TLS_CERT (--tls-cert) must be set too when PETSTORE_TLS_KEY is.\n',
    )
  })

  test('a command reads only those that it uses', async () => {
    const databaseUrl = await freshSqliteUrl()
    const bad = {
      DATABASE_URL: databaseUrl,
      HOST: 'not a host',
      PORT: 'abc',
      PETSTORE_BASE_URL: 'nonsense',
      PETSTORE_API_KEY: 'short',
      PETSTORE_RATE_LIMIT: 'lots',
      PETSTORE_BACKUP_EVERY: 'often',
      PETSTORE_TLS_CERT: '/nowhere.pem',
      LOG_LEVEL: 'loud',
    }
    const backup = join(await freshFolder(), 'backup.db')
    const copied = await freshSqliteUrl()
    for (const command of [
      ['keys', 'create', '--create', '--name', 'x', '--expires', '30m'],
      ['keys', 'list'],
      ['deprecations'],
      ['demo', '--yes'],
      ['pets', 'export'],
      ['backup', backup],
      ['restore', backup, '--database-url', await freshSqliteUrl()],
      ['copy', '--from', databaseUrl, '--to', copied],
    ]) {
      const { code, stderr } = await petstore(command, bad)
      expect({ command, code, stderr }).toMatchObject({ command, code: 0 })
    }
    const { code, stderr } = await petstore(['keys', 'list'], { ...bad, PETSTORE_ENV: 'prod' })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'petstore: PETSTORE_ENV (--env) must be production or staging.\n',
    })
  })

  test('a flag wins over the variable, and an empty variable counts as unset', async () => {
    const service = await startProcess({
      databaseUrl: await freshSqliteUrl(),
      variables: { PORT: 'nonsense', PETSTORE_ENV: '', PETSTORE_BASE_URL: '' },
      flags: ['--port', '0'],
    })
    expect((await service.fetch('/livez')).status).toBe(200)
    expect(await service.stop()).toBe(0)
  })
})
