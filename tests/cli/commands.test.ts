import { Database } from 'bun:sqlite'
import { beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl, pathOf, petstore, type Ran } from '../support/process.ts'
import { API_KEY, startService } from '../support/service.ts'
import { addKey, openStore } from '../support/store.ts'

/** So that the next animal has an identifier that a double would round. */
const NEARLY_THE_END = 9_223_372_036_854_775_805n

let folder: string
let store: string
const run = (...args: string[]): Promise<Ran> => petstore(args, { DATABASE_URL: store })

beforeEach(async () => {
  folder = await freshFolder()
  store = await freshSqliteUrl()
  await addKey(store, 'first')
  using database = new Database(pathOf(store))
  database.run(
    `INSERT INTO pets (id, name, category_id, status) VALUES (${NEARLY_THE_END}, 'far', 1, 'sold')`,
  )
})

test('--json prints one document, exact to the last digit, with the database that it is about', async () => {
  const [file, target] = [join(folder, 'backup.db'), await freshSqliteUrl()]
  const restore = ['restore', file, '--json', '--database-url', target]
  const runs = { [store]: await run('backup', file, '--json'), [target]: await petstore(restore) }
  for (const [url, { code, stdout, stderr }] of Object.entries(runs)) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`"lastId": ${NEARLY_THE_END}`)
    const held = { animals: 1, keys: 1, environment: 'production' }
    expect(JSON.parse(stdout)).toMatchObject({ ...held, file, database: pathOf(url) })
  }
})

test.each([
  ['restore -', 'A backup must be a file'],
  ['backup - --json', 'without --json'],
])('%s is refused', async (words, why) => {
  const stderr = expect.stringContaining(why)
  expect(await run(...words.split(' '))).toMatchObject({ code: 2, stdout: '', stderr })
})

test('ready says whether the service is ready', async () => {
  using service = await startService()
  const ready = await petstore(['ready', '--port', new URL(service.url).port])
  const stdout = `${service.url}/readyz reports that the service is ready\n`
  expect(ready).toEqual({ code: 0, stdout, stderr: '' })
  using other = Bun.serve({ port: 0, fetch: () => Response.redirect(`${service.url}/readyz`) })
  using stranger = Bun.serve({ port: 0, fetch: () => new Response('It works!') })
  using healthy = Bun.serve({ port: 0, fetch: () => Response.json({ status: 'ok' }) })
  const ports = [other.port, 1, stranger.port, healthy.port].map(String)
  const runs = await Promise.all(ports.map(port => petstore(['ready', '--port', port])))
  const nothing = /^petstore: Nothing responds at \S+ \([^\n]+\)\. Is the service running\?\n$/
  const another = /^petstore: \S+ returned \d+: another program or environment uses it\n$/
  for (const [index, said] of [another, nothing, another, another].entries())
    expect(runs[index]).toEqual({ code: 5, stdout: '', stderr: expect.stringMatching(said) })
})

test('what is not there is exit code 3 and one sentence, and nothing is made', async () => {
  const cwd = await freshFolder()
  const cases = `demo --yes|backup file.db|restore MISSING|backup MISSING --database-url ${store}
    |pets import MISSING --dry-run|pets export MISSING.csv --api-key some-key-0123456789abcdef
    |copy --from sqlite:MISSING --to sqlite:new.db|copy --unmark sqlite:MISSING`
  for (const words of cases.split(/\s*\|/)) {
    const args = words.replace('MISSING', join(cwd, 'no/folder/file')).split(' ')
    const stderr = expect.stringMatching(/^(Database of [^\n]+\n)?petstore: [^\n]+\.\n$/)
    expect([words, await petstore(args, {}, { cwd })]).toEqual([words, { code: 3, stdout: '', stderr }])
  }
  expect(readdirSync(cwd)).toEqual([])
})

test('demo asks before it adds to production, and only there, and fills an empty store and no other', async () => {
  const DATABASE_URL = await freshSqliteUrl()
  await addKey(DATABASE_URL, 'first')
  const refused = { code: 2, stdout: '', stderr: expect.stringContaining('add --yes') }
  for (const args of [['demo'], ['demo', '--json']])
    expect(await petstore(args, { DATABASE_URL })).toMatchObject(refused)
  const staging = { DATABASE_URL: await freshSqliteUrl(), PETSTORE_ENV: 'staging' }
  using service = await startService({ databaseUrl: staging.DATABASE_URL, variables: staging })
  expect(await petstore(['demo'], staging)).toMatchObject({ code: 0, stdout: 'Added 52 animals.\n' })
  expect((await petstore(['demo'], staging)).stderr).toContain('This store already has animals')
  expect((await service.fetch('/v1/pets?limit=100')).pets).toHaveLength(52)
})

test('every command refuses a settings file that others can write, or that is gone, before it does anything', async () => {
  const file = join(folder, 'petstore.env')
  async function expectRefused(command: string, code: number, sentence: RegExp): Promise<void> {
    const ran = await petstore(command.split(' '), { DATABASE_URL: store }, { cwd: folder })
    expect([command, ran]).toEqual([command, { code, stdout: '', stderr: expect.stringMatching(sentence) }])
  }
  writeFileSync(file, `PETSTORE_SERVER_API_KEY=${API_KEY}\n`)
  chmodSync(file, 0o666)
  const writable = /^petstore: Other users can write the settings file petstore\.env\. .+\n$/
  for (const command of ['serve', 'keys create --create --name x']) await expectRefused(command, 2, writable)
  expect(readdirSync(folder)).toEqual(['petstore.env'])
  rmSync(file)
  symlinkSync(join(folder, 'gone'), file)
  const gone = /^petstore: The settings file (\S+) cannot be read: \1 does not exist .+\n$/
  for (const command of ['keys list', '--env-file=petstore.env doctor', 'ready --env-file gone'])
    await expectRefused(command, 3, gone)
  await expectRefused('keys list --env-file=/proc/self/mem', 5, /^petstore: The settings .+ \(EIO\)\.\n$/)
  await expectRefused('keys list --env-file=/', 2, /^petstore: The settings file \/ .+: it is a folder .+\n$/)
  await expectRefused('keys list --env-file=', 2, /^petstore: --env-file is empty\. .+\n$/)
})

describe('output', () => {
  /** Runs a command with its standard output redirected by a shell, which returns its exit code. */
  const led = (script: string, ...args: string[]): Promise<Ran> => {
    const within = ['bash', '-o', 'pipefail', '-c', `"$@" ${script}`, 'bash']
    return petstore(args, { DATABASE_URL: store }, { within })
  }
  const keyNamed = async (wanted: string) => {
    await using opened = await openStore(store)
    return (await opened.keys.list()).find(({ name }) => name === wanted)
  }

  test('arrives whole at a slow reader; one that has seen enough is no failure, but for a backup', async () => {
    const database = new Database(pathOf(store))
    database.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       INSERT INTO api_keys (id, hash, name, hint, created_at)
       SELECT 'key_' || i, 'hash ' || i, name, hint, created_at FROM n, (SELECT * FROM api_keys LIMIT 1)`,
    )
    database.close()
    const slow = await led('| { sleep 0.5; cat; }', 'keys', 'list', '--json')
    expect(JSON.parse(slow.stdout).keys).toHaveLength(3001)
    expect(await led('| head -n 1', 'keys', 'list', '--json')).toEqual({ code: 0, stdout: '{\n', stderr: '' })
    const file = join(folder, 'slow.db')
    const stderr = `Database of production: ${pathOf(store)}\n`
    const backedUp = await led(`| { sleep 0.5; cat > '${file}'; }`, 'backup', '-')
    expect(backedUp).toEqual({ code: 0, stdout: '', stderr })
    expect(readdirSync('.')).not.toContain('-')
    using copy = new Database(file, { readonly: true, safeIntegers: true })
    expect(copy.query('SELECT id FROM pets').values()).toEqual([[NEARLY_THE_END]])
    const size = copy.query('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
    expect(size.values()).toEqual([[BigInt(Bun.file(file).size)]])
    const appended = join(folder, 'appended')
    expect((await led(`>> '${appended}'; echo end >> '${appended}'`, 'keys', 'list')).code).toBe(0)
    expect((await led(`>> '${appended}'`, 'keys', 'list')).code).toBe(0)
    const [first = '', second] = readFileSync(appended, 'utf8').split('end\n')
    expect(second).toBe(first)
    expect(first).toStartWith('ID')
    expect((await led('| head -c 10', 'backup', '-')).code).toBe(1)
  })

  test.each([
    ['>&-', ['keys create --name lost']],
    ['>/dev/null', ['keys create --name lost', 'backup -', 'pets export -']],
  ])('that nobody would get is refused first: %s', async (to, commands) => {
    for (const command of commands) {
      const said = 'petstore: Standard output is closed, or /dev/null. Use a file, a pipe or a terminal.\n'
      const ran = await led(to, ...command.split(' '))
      expect([command, ran]).toEqual([command, { code: 2, stdout: '', stderr: said }])
    }
    expect(await keyNamed('lost')).toBeUndefined()
  })

  const changes = ['keys create --name lost', 'keys revoke first --yes', 'doctor', 'serve --check']
  test.each(changes)('of %p is a failure if nobody reads it', async command => {
    const pipe = join(await freshFolder(), 'pipe')
    // The reader closes the pipe as soon as the command has opened it.
    Bun.spawnSync(['mkfifo', pipe])
    const reader = Bun.spawn(['sh', '-c', `: < '${pipe}'`])
    const { code } = await led(`> '${pipe}'`, ...command.split(' '))
    expect(code).toBe(1)
    await reader.exited
    expect((await keyNamed('lost'))?.revokedAt !== undefined).toBe(command.includes('lost'))
  })

  test.skipIf(process.platform !== 'linux')('that cannot be written makes no valid key', async () => {
    const { code, stderr } = await led('> /dev/full', 'keys', 'create', '--name', 'lost')
    expect([code, stderr]).toEqual([1, expect.stringContaining('Standard output cannot be written: ')])
    expect((await keyNamed('lost'))?.revokedAt).toBeDate()
  })
})
