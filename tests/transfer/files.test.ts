import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { newKey } from '../../src/keys/api-key.ts'
import { walk } from '../support/http.ts'
import { seeded } from '../support/load.ts'
import { freshFolder, inTerminal, petstore, start } from '../support/process.ts'
import { API_KEY, type Service, startService } from '../support/service.ts'
import { TcpProxy } from '../support/tcp-proxy.ts'

const GOOD = [
  '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}',
  '{"name":"Zoë 🐾","categoryId":-9223372036854775808}',
  '{"name":" , \\"quoted\\" ","categoryId":9007199254740993,"status":"pending"}',
]
/** As they are stored, sorted, because several are added at a time. */
const STORED = [
  ' , "quoted"  9007199254740993 pending',
  'Rex 9223372036854775807 sold',
  'Zoë 🐾 -9223372036854775808 available',
]

let folder: string
let service: Service
let variables: Record<string, string>

beforeAll(async () => {
  folder = await freshFolder()
})
beforeEach(async () => {
  service = await startService({ inThread: true })
  variables = { PETSTORE_API_KEY: API_KEY, PORT: new URL(service.url).port }
})
afterEach(() => service.discard())

const pets = (...args: string[]) => petstore(['pets', ...args], variables)

async function bytes(name: string, content: string | Uint8Array): Promise<string> {
  await Bun.write(join(folder, name), content)
  return join(folder, name)
}
const file = (name: string, ...lines: string[]): Promise<string> => bytes(name, lines.join('\n'))

const stored = async (from = service): Promise<string[]> => {
  const { pets } = await walk(from, '/v1/pets?limit=100')
  return pets.map(({ name, categoryId, status }) => `${name} ${categoryId} ${status}`).toSorted()
}

describe('an import', () => {
  test('of a file with bad lines names every one of them and adds nothing', async () => {
    const [first, second, third] = GOOD as [string, string, string]
    const bad = await file('bad.ndjson', first, '{"name":"Max"}', second, 'no animal', third)
    const { code, stdout, stderr } = await pets('import', bad, '--yes')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      'line 2: categoryId is required\nline 4: it is not JSON\n' +
        'petstore: Nothing was imported: 2 bad lines, 3 good ones.\n',
    )
    expect(await stored()).toEqual([])
  })

  test('that is repeated or corrected adds only what is new, names the rest, and adds just those on purpose', async () => {
    const csv = (...rows: string[]) => file("Ida's.csv", 'name,categoryId,status', ...rows, '')
    expect((await pets('import', await csv('Rex,7,', 'Mia,8,sold', 'Rex,7,'), '--yes')).stdout).toStartWith(
      'Imported 3 animals',
    )
    const corrected = await csv('New,1,', 'Rex,7,available', 'Mia, 8 ,Sold', 'Rex,7,', 'Rex,7,')
    const again = await pets('import', corrected, '--yes')
    const [imported, leftOut, command = ''] = again.stdout.split('\n')
    expect([imported, leftOut]).toEqual([
      'Imported 2 animals.',
      'Left out, because rows equal to them were imported in the last 24 hours: lines 3-5. To add them:',
    ])
    const named = `'${corrected.replace("'", "'\\''")}' --base-url ${service.url}/v1`
    expect(command).toEndWith(`petstore pets import ${named} --again --lines 3-5`)
    expect(await stored()).toHaveLength(5)
    const within = ['sh', '-c', `${command} --yes --json`]
    expect(JSON.parse((await petstore([], variables, { within })).stdout)).toMatchObject({
      rowsInFile: 5,
      animalsAdded: 3,
      linesLeftOutAsImportedBefore: [],
    })
    expect((await stored()).filter(pet => pet.includes('New'))).toHaveLength(1)
  })

  test('of an exported file adds only rows without an id, and the others if they are asked for', async () => {
    const rows = ['ID,name,category,State', '77,Rex,7,sold', ',Mia,8,sold', '78,Bo,9,']
    const path = await file('exported.csv', ...rows)
    const why =
      'Left out, because they have an id, and an import cannot change animals: lines 2,4. To add them:\n'
    const server = `--base-url ${service.url}/v1`
    for (const flag of ['--dry-run', '--yes']) {
      const { stdout, stderr } = await pets('import', path, flag, ...server.split(' '))
      expect([stdout, stderr]).toEqual([expect.stringContaining(why), 'Not read: State.\n'])
      expect(stdout).toEndWith(`petstore pets import ${path} ${server} --lines 2,4\n`)
    }
    expect(await stored()).toEqual(['Mia 8 available'])
    const asked = await pets('import', path, '--yes', '--json', '--lines', '4')
    expect(JSON.parse(asked.stdout)).toMatchObject({ animalsAdded: 1, linesLeftOutBecauseOfId: [] })
    const json = await file('exported.ndjson', '{"id":1,"name":"Ida","categoryId":7}')
    expect(JSON.parse((await pets('import', json, '--yes', '--json')).stdout)).toEqual({
      server: `${service.url}/v1`,
      rowsInFile: 1,
      animalsAdded: 0,
      linesMaybeAdded: [],
      idempotencyKey: null,
      linesLeftOutAsImportedBefore: [],
      linesLeftOutBecauseOfId: [1],
      columnsNotRead: [],
    })
  })

  test('that is stopped says how far it came, and adds the others when it is repeated', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `{"name":"n","categoryId":${i}}`)
    const many = await file('many.ndjson', ...lines)
    const { child, stderr } = start(['pets', 'import', many, '--yes'], variables)
    while ((await service.fetch('/v1/pets')).pets.length < 20) await Bun.sleep(5)
    child.kill('SIGINT')
    expect(await child.exited).toBe(1)
    expect(stderr.text).toMatch(
      /^petstore: Stopped by SIGINT\. [\d,]+ animals had been added before that, and lines? [\d,-]+ may have been\. Run the same command again within 24 hours, with the same API key/,
    )
    expect(await pets('import', many, '--yes')).toMatchObject({ code: 0 })
    const names = await stored()
    expect([names.length, new Set(names).size]).toEqual([5000, 5000])
  })

  test('whose responses are lost at random tells what the store gained, and so does one that is repeated', async () => {
    using proxy = await TcpProxy.to(+(variables.PORT as string))
    const rows = Array.from({ length: 90 }, (_, i) => `Rex,${i % 40}`)
    const bring = async (count: number): Promise<{ told: object; gained: number }> => {
      const before = (await stored()).length
      const path = await file('lost.csv', 'name,categoryId', ...rows.slice(0, count))
      const server = `http://127.0.0.1:${proxy.port}/v1`
      const { stdout } = await pets('import', path, '--yes', '--json', '--base-url', server)
      return { told: JSON.parse(stdout), gained: (await stored()).length - before }
    }
    const random = seeded(61)
    proxy.loses = () => random(4) === 0
    const none = { linesLeftOutAsImportedBefore: [], linesMaybeAdded: [] }
    expect(await bring(60)).toMatchObject({ told: { animalsAdded: 60, ...none }, gained: 60 })
    // Lost are only responses to rows that were there.
    let toLose = 5
    proxy.loses = () => toLose-- > 0
    const linesLeftOutAsImportedBefore = Array.from({ length: 60 }, (_, i) => i + 2)
    expect(await bring(90)).toMatchObject({
      told: { animalsAdded: 30, linesLeftOutAsImportedBefore },
      gained: 30,
    })
  })

  test('of which a proxy sends a request twice counts its animal as added', async () => {
    let asked = 0
    using proxy = Bun.serve({
      port: 0,
      fetch: async request => {
        const send = { method: 'POST', headers: request.headers, body: await request.text() }
        if (++asked === 40) await fetch(`${service.url}/v1/pets`, send)
        return fetch(`${service.url}/v1/pets`, send)
      },
    })
    const path = await file(
      'twice.csv',
      'name,categoryId',
      ...Array.from({ length: 60 }, (_, i) => `Rex,${i}`),
    )
    const { stdout } = await pets('import', path, '--yes', '--base-url', `${proxy.url}v1`)
    expect([stdout, (await stored()).length]).toEqual(['Imported 60 animals.\n', 60])
  })

  test('that gives up names the lines that may have been added, and how to add the others', async () => {
    using proxy = await TcpProxy.to(+(variables.PORT as string))
    const path = await file('given-up.csv', 'name,categoryId', 'Rex,1', 'Mia,2', 'Bo,3')
    const given = [
      'pets',
      'import',
      path,
      '--yes',
      '--json',
      '--base-url',
      `http://127.0.0.1:${proxy.port}/v1`,
    ]
    const again = [...given, '--again', '--lines', '2-4']
    const { child, stdout, stderr } = start(again, variables)
    proxy.loses = () => true
    while ((await stored()).length < 3) await Bun.sleep(5)
    child.kill('SIGINT')
    expect(await child.exited).toBe(1)
    const { idempotencyKey, ...facts } = JSON.parse(stdout.text)
    expect(facts).toMatchObject({ animalsAdded: 0, linesMaybeAdded: [2, 3, 4] })
    expect(stderr.text).toEndWith(
      `petstore: Stopped by SIGINT. 0 animals had been added before that, and lines 2-4 may have been. Run the same command again with --idempotency-key ${idempotencyKey} within 24 hours, with the same API key, to add the others; none is added twice.\n`,
    )
    proxy.loses = () => false
    const { code } = await petstore([...again, '--idempotency-key', idempotencyKey], variables)
    expect([code, (await stored()).length]).toEqual([0, 3])
  })

  test('that fails starts no further row', async () => {
    let asked = 0
    const body = { code: 'odd', message: 'Odd.', status: 400 }
    using server = Bun.serve({ port: 0, fetch: () => Response.json(body, { status: ++asked && 400 }) })
    const many = await file('failing.ndjson', ...Array(100).fill(GOOD[0]))
    const { stderr } = await pets('import', many, '--yes', '--base-url', `${server.url}v1`)
    expect(stderr).toStartWith('petstore: odd: Odd. 0 animals had been added before that. Run')
    // As many as are sent at a time.
    expect(asked).toBeWithin(1, 17)
  })

  test('that cannot be meant is refused in one sentence, and adds nothing', async () => {
    const latin1 = Buffer.from('name,category\nZoë,7', 'latin1')
    const two = await file('two.csv', 'name,category', 'Rex,7', 'Mia,8')
    const cases: [RegExp, ...string[]][] = [
      [/is a folder/, folder],
      [/neither UTF-8 nor UTF-16.*iconv -f WINDOWS-1252/, await bytes('latin1.csv', latin1)],
      [/--again and --idempotency-key need --lines/, two, '--again'],
      [/--lines: 2-3,3 lists a line twice/, two, '--lines=2-3,3'],
      ...`9 2,9 2-9 3-2 2-0 0 0- 9- 1-3 1e0 2,x 2, -3 2-3-4 ${'9'.repeat(99)}`
        .split(' ')
        .map((lines): [RegExp, ...string[]] => [
          /--lines: "[^ ]*" must begin and end on a line with an animal/,
          two,
          `--lines=${lines}`,
        ]),
    ]
    const refuse = async ([reason, ...args]: (typeof cases)[number]) => {
      const { code, stdout, stderr } = await pets('import', ...args, '--yes')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
      expect(stderr).toMatch(reason)
    }
    await Promise.all(cases.map(refuse))
    expect(await stored()).toEqual([])
  })

  test('with --dry-run only checks, and needs neither a key nor a service', async () => {
    const path = await file('dry.ndjson', ...GOOD)
    const { code, stdout } = await petstore(['pets', 'import', path, '--dry-run'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '3 animals checked; none was imported.\n' })
  })

  test('asks before it adds to production, and only there', async () => {
    const path = await file('asked.ndjson', ...GOOD)
    const { code, stderr } = await pets('import', path)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^petstore: This adds 3 animals to http\S+, and animals cannot be removed\. [^\n]+ --yes/,
    )
    const reply = (answer: string) =>
      inTerminal(['pets', 'import', path], variables, { to: 'Continue? [y/N] ', with: `${answer}\n` })
    const no = await reply('n')
    expect([no.code, no.text.includes('adds 3 animals')]).toEqual([1, true])
    expect(await stored()).toEqual([])
    expect((await reply('y')).code).toBe(0)
    expect(await stored()).toHaveLength(3)
    const { key } = newKey('staging', 'test')
    using staging = await startService({
      variables: { PETSTORE_ENV: 'staging', PETSTORE_SERVER_API_KEY: key },
    })
    const there = { PETSTORE_API_KEY: key, PETSTORE_STAGING_BASE_URL: `${staging.url}/v1` }
    expect((await petstore(['pets', 'import', path], there)).code).toBe(0)
  })

  test('in a terminal shows how far it is, and then the outcome on a line of its own', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `Rex,${i}`)
    const path = await file('many.csv', 'name,categoryId', ...rows)
    const { text } = await inTerminal(['pets', 'import', path, '--yes'], variables)
    // Each line as last drawn.
    const [count, outcome] = text.split(/\r*\n/).map(line => line.split('\r').at(-1))
    expect(count).toBe('Importing 300 animals: 300')
    expect(outcome).toMatch(/^Imported 300 animals\.$/)
  })
})

describe('an export', () => {
  test.each(['back.csv', '-'])('to %s comes back the same, exact to the last digit', async name => {
    const imported = await pets('import', await file('good.ndjson', ...GOOD), '--yes')
    expect(imported).toMatchObject({ code: 0, stdout: 'Imported 3 animals.\n' })
    expect(await stored()).toEqual(STORED)
    const path = name === '-' ? name : join(await freshFolder(), name)
    const { stdout } = await pets('export', path)
    using target = await startService()
    const arriving = name === '-' ? await file('piped', stdout) : path
    variables.PORT = new URL(target.url).port
    const within = ['sh', '-c', `"$@" < '${arriving}'`, 'sh']
    const back = ['pets', 'import', '-', '--yes', '--lines', '1-']
    expect(await petstore(back, variables, { within })).toMatchObject({ code: 0 })
    expect(await stored(target)).toEqual(STORED)
  })

  test('to a file is whole or not there, for its owner only, and replaces nothing unasked', async () => {
    await pets('import', await file('good.ndjson', ...GOOD), '--yes')
    const out = join(await freshFolder(), 'out.csv')
    expect((await pets('export', out)).stderr).toBe('Exported 3 animals.\n')
    expect(statSync(out).mode & 0o777).toBe(0o600)
    expect((await pets('export', out)).stderr).toMatch(/^petstore: [^\n]+--force[^\n]+\n$/)
    expect((await pets('export', out, '--force', '--spreadsheet-safe')).code).toBe(0)
    expect([...(await Bun.file(out).bytes()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    service.discard()
    const gone = await petstore(['pets', 'export', out, '--force'], { ...variables, PORT: '1' })
    expect(gone.code).toBe(5)
    expect(await Bun.file(out).text()).toContain('Rex')
    expect(readdirSync(join(out, '..'))).toEqual(['out.csv'])
  })

  test('that cannot be meant is refused', async () => {
    for (const args of ['x.xlsx', 'x.ndjson --spreadsheet-safe'])
      expect((await pets('export', ...join(folder, args).split(' '))).code).toBe(2)
  })
})

test('the demo animals fill an empty store and no other', async () => {
  const demo = () => petstore(['demo', '--yes', '--database-url', service.options.databaseUrl])
  expect((await demo()).stdout).toBe('Added 52 animals.\n')
  expect((await demo()).stderr).toContain('This store already has animals')
  expect(await stored()).toHaveLength(52)
})
