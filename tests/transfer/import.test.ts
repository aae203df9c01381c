import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fresh, PLACES } from '../copy/places.ts'
import { pathOf } from '../copy/seed.ts'
import { petstore } from '../support/service/cli.ts'
import { freshFolder } from '../support/service/folder.ts'
import { commandLine, environmentWith } from '../support/service/process.ts'
import { API_KEY, startService } from '../support/service/service.ts'

const GOOD = [
  '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}',
  '{"id":77,"name":"Zoë 🐾","categoryId":-9223372036854775808}',
  '{"name":" , \\"quoted\\" ","categoryId":9007199254740993,"status":"pending"}',
]
const EXPORTED = [
  '{"id":1,"name":"Rex","categoryId":9223372036854775807,"status":"sold"}',
  '{"id":2,"name":"Zoë 🐾","categoryId":-9223372036854775808,"status":"available"}',
  '{"id":3,"name":" , \\"quoted\\" ","categoryId":9007199254740993,"status":"pending"}',
]
const WITH_BAD = [GOOD[0], '{"name":"Max"}', GOOD[1], 'no animal', GOOD[2]]

let folder: string
let good: string
let bad: string

beforeAll(async () => {
  folder = await freshFolder()
  good = join(folder, 'good.ndjson')
  bad = join(folder, 'bad.ndjson')
  await Bun.write(good, GOOD.join('\n'))
  await Bun.write(bad, WITH_BAD.join('\n'))
})

const exported = async (databaseUrl: string): Promise<string[]> =>
  (await petstore(['pets', 'export', '--database-url', databaseUrl])).stdout.split('\n').slice(0, -1)

const importing = (databaseUrl: string, file: string, ...flags: string[]) =>
  petstore(['pets', 'import', file, '--create', '--yes', '--database-url', databaseUrl, ...flags])

describe.each(PLACES)('an import into %s', place => {
  test('adds every animal in the order of the file, exact to the last digit', async () => {
    const store = await fresh(place)
    const { code, stdout } = await importing(store, good)
    expect(stdout).toStartWith('Imported 3 animals with identifiers from 1 to 3')
    expect(code).toBe(0)
    expect(await exported(store)).toEqual(EXPORTED)
  })

  test('names every bad line and adds nothing at all', async () => {
    const store = await fresh(place)
    const { code, stderr } = await importing(store, bad)
    expect(code).toBe(2)
    expect(stderr).toContain('line 2: categoryId is required\nline 4: it is not JSON\n')
    expect(stderr).toContain('2 lines are bad, 3 animals would be good; none was imported.')
    expect(await exported(store)).toEqual([])
  })

  test('with --continue adds the good ones and ends with a code that says so', async () => {
    const store = await fresh(place)
    const { code, stderr } = await importing(store, bad, '--continue')
    expect(code).toBe(6)
    expect(stderr).toContain('line 2: categoryId is required\nline 4: it is not JSON\n')
    expect(await exported(store)).toEqual(EXPORTED)
  })

  test('that is killed while it reads adds nothing', async () => {
    const store = await fresh(place)
    await importing(store, good)
    const child = Bun.spawn(
      commandLine('pets', 'import', '-', '--create', '--yes', '--database-url', store),
      {
        env: environmentWith({}),
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    )
    child.stdin.write(`${GOOD[0]}\n`.repeat(50_000))
    await child.stdin.flush()
    child.kill('SIGKILL')
    await child.exited
    expect(await exported(store)).toEqual(EXPORTED)
  })

  test('goes on counting where a running service stopped, which goes on after it', async () => {
    const store = await fresh(place)
    const service = await startService({ databaseUrl: store })
    const before = await service.post('{"name":"Before","categoryId":1}')
    expect((await importing(store, good)).code).toBe(0)
    const after = await service.post('{"name":"After","categoryId":1}')
    const names = (await service.fetch('/v1/pets')).pets.map(({ id, name }) => `${id} ${name}`)
    await service.stop()
    expect([before, after].map(answer => answer.status)).toEqual([201, 201])
    expect(names).toEqual(['1 Before', '2 Rex', '3 Zoë 🐾', '4  , "quoted" ', '5 After'])
  })
})

test('a dry run checks the file and touches no database', async () => {
  const store = await fresh('sqlite')
  const { code, stdout } = await importing(store, good, '--dry-run')
  expect(`${code} ${stdout}`).toBe('0 3 animals checked; none was imported.\n')
  expect((await importing(store, bad, '--dry-run', '--continue')).code).toBe(2)
  expect(existsSync(pathOf(store))).toBe(false)
})

test.each(['ndjson', 'json', 'csv'])(
  'what is exported as %s comes back the same through a pipe',
  async format => {
    const first = await fresh('sqlite')
    const second = await fresh('sqlite')
    await importing(first, good)
    const leaving = Bun.spawn(commandLine('pets', 'export', '--format', format, '--database-url', first), {
      env: environmentWith({}),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const arriving = Bun.spawn(
      commandLine('pets', 'import', '-', '--create', '--yes', '--format', format, '--database-url', second),
      { env: environmentWith({}), stdio: [leaving.stdout, 'ignore', 'ignore'] },
    )
    expect(await Promise.all([leaving.exited, arriving.exited])).toEqual([0, 0])
    expect(await exported(second)).toEqual(EXPORTED)
  },
)

test('an export to a file is complete or not there, and replaces nothing unasked', async () => {
  const store = await fresh('sqlite')
  await importing(store, good)
  const file = join(folder, 'out.json')
  const run = (...flags: string[]) => petstore(['pets', 'export', file, '--database-url', store, ...flags])
  expect((await run()).code).toBe(0)
  expect(await Bun.file(file).text()).toBe(`[\n${EXPORTED.join(',\n')}\n]\n`)
  const again = await run()
  expect(`${again.code} ${again.stderr}`).toContain('2 petstore: ')
  expect(again.stderr).toContain('exists. --force replaces it.')
  expect((await run('--force')).code).toBe(0)
  expect(readdirSync(folder).filter(name => name.startsWith('out.json'))).toEqual(['out.json'])
})

test('an export that cannot read its store leaves no file and makes no database', async () => {
  const store = await fresh('sqlite')
  const file = join(folder, 'never.csv')
  const { code, stderr } = await petstore(['pets', 'export', file, '--database-url', store])
  expect(code).toBe(3)
  expect(stderr).toContain('There is no database')
  expect(existsSync(pathOf(store))).toBe(false)
  expect(readdirSync(folder).filter(name => name.startsWith('never'))).toEqual([])
})

test('over HTTP every animal arrives once, however often the same file is sent', async () => {
  const service = await startService({ databaseUrl: await fresh('sqlite') })
  const over = (...args: string[]) =>
    petstore(['pets', ...args, '--base-url', `${service.url}/v1`], { PETSTORE_API_KEY: API_KEY })
  const first = await over('import', good, '--yes')
  const second = await over('import', good, '--yes')
  const refused = await over('import', bad, '--yes')
  const out = await over('export')
  await service.stop()
  expect([first.code, second.code, refused.code]).toEqual([0, 0, 2])
  expect(first.stdout).toContain('Imported 3 animals with identifiers from 1 to 3')
  expect(
    out.stdout
      .split('\n')
      .slice(0, -1)
      .map(line => line.replace(/"id":\d+,/, ''))
      .sort(),
  ).toEqual(EXPORTED.map(line => line.replace(/"id":\d+,/, '')).sort())
})

test('over HTTP a server that is gone says how far it came and what to do', async () => {
  const { code, stderr } = await petstore(
    ['pets', 'import', good, '--yes', '--base-url', 'http://127.0.0.1:9/v1'],
    {
      PETSTORE_API_KEY: API_KEY,
    },
  )
  expect(code).toBe(5)
  expect(stderr).toContain('0 animals were added before that. Run the same import again within 24 hours')
})

test('the demo animals fill an empty store, and only with --anyway another one', async () => {
  const store = await fresh('sqlite')
  const demo = (...flags: string[]) => petstore(['demo', '--yes', '--database-url', store, ...flags])
  expect((await demo()).stdout).toMatch(/^Added (5\d) animals, identifiers 1 to \1\.\n$/)
  const count = (await exported(store)).length
  const again = await demo()
  expect(again.code).toBe(2)
  expect(again.stderr).toContain('This store has animals already')
  expect((await demo('--anyway')).code).toBe(0)
  expect((await exported(store)).length).toBe(2 * count)
})

test('an unfinished copy takes no animals', async () => {
  const store = await fresh('sqlite')
  await importing(store, good)
  const database = new Database(pathOf(store))
  database.run("INSERT INTO meta VALUES ('copy_in_progress', 'somewhere')")
  database.close()
  const { code, stderr } = await importing(store, good)
  expect(code).toBe(1)
  expect(stderr).toContain('holds an unfinished copy of somewhere')
})
