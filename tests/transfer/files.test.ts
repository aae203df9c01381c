import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { importPets } from '../../src/cli/pets-files.ts'
import { newKey } from '../../src/keys/api-key.ts'
import { petJson, walk } from '../support/http.ts'
import { seeded } from '../support/load.ts'
import { eventually, freshFolder, inTerminal, petstore, start } from '../support/process.ts'
import { API_KEY, type Service, startService } from '../support/service.ts'
import { TcpProxy } from '../support/tcp-proxy.ts'

const GOOD = [
  '{"name":" , \\"quoted\\" ","categoryId":9007199254740993,"status":"pending"}',
  '{"name":" Zoë 🐾","categoryId":-9223372036854775808,"status":"available"}',
  '{"name":"Rex ","categoryId":9223372036854775807,"status":"sold"}',
] as const

const folder = await freshFolder()
let service: Service
let variables: Record<string, string>

beforeEach(async () => {
  service = await startService()
  variables = { PETSTORE_API_KEY: API_KEY, PORT: new URL(service.url).port }
})
afterEach(() => service.discard())

const pets = (...args: string[]) => petstore(['pets', ...args], variables)

async function bytes(name: string, content: string | Uint8Array): Promise<string> {
  await Bun.write(join(folder, name), content)
  return join(folder, name)
}
const file = (name: string, ...lines: string[]): Promise<string> => bytes(name, lines.join('\n'))
/** The path of a file with this many animals, of so many categories. */
const csvWith = (animals: number, categories = animals): Promise<string> =>
  file('many.csv', 'name,categoryId', ...Array.from({ length: animals }, (_, n) => `Rex,${n % categories}`))

/** The animals of a service as NDJSON, sorted, because several are added at a time. */
const stored = async (from = service): Promise<string[]> =>
  (await walk(from, '/v1/pets?limit=100')).pets.map(petJson).toSorted()

describe('an import', () => {
  test('of a file with bad lines names every one of them and adds nothing', async () => {
    const bad = await file('bad.ndjson', GOOD[0], '{"name":"Max"}', GOOD[1], 'no animal', GOOD[2])
    const lines = 'line 2: categoryId is required\nline 4: it is not JSON\n'
    const stderr = `${lines}petstore: Nothing was imported: 2 bad lines, 3 good ones.\n`
    expect(await pets('import', bad, '--yes')).toEqual({ code: 2, stdout: '', stderr })
    expect(await stored()).toEqual([])
  })

  test('that is repeated or corrected adds only what is new, names the rest, and adds just those on purpose', async () => {
    const csv = (...rows: string[]) => file("Ida's.csv", 'name,categoryId,status', ...rows, '')
    await pets('import', await csv('Rex,7,', 'Mia,8,sold', 'Rex,7,'), '--yes')
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

  test('of an exported file adds only rows without an id, and the others if they are asked for; a trial needs no key', async () => {
    const rows = ['ID,name,category,State,Note', '77,Rex,7,sold,', ',Mia,8,sold,', '78,Bo,9,,']
    const path = await file('exported.csv', ...rows)
    const why = 'they have an id, and an import cannot change animals: lines 2,4. To add them:'
    const flags = `--base-url ${service.url}/v1`
    for (const [flag, outcome, settings] of [
      ['--dry-run', '3 animals checked; none was imported.', {}],
      ['--yes', 'Imported 1 animal.', variables],
    ] as const)
      expect(await petstore(['pets', 'import', path, flag, ...flags.split(' ')], settings)).toEqual({
        code: 0,
        stdout: `${outcome}\nLeft out, because ${why}\n./petstore pets import ${path} ${flags} --lines 2,4\n`,
        stderr: 'Not read: State, Note.\n',
      })
    expect(JSON.parse((await pets('import', path, '--yes', '--json')).stdout)).toEqual({
      server: `${service.url}/v1`,
      rowsInFile: 3,
      animalsAdded: 0,
      linesMaybeAdded: [],
      idempotencyKey: null,
      linesLeftOutAsImportedBefore: [3],
      linesLeftOutBecauseOfId: [2, 4],
      columnsNotRead: ['State', 'Note'],
    })
    expect((await pets('import', path, '--yes', '--lines', '4')).stdout).toBe('Imported 1 animal.\n')
    expect(await stored()).toEqual([expect.stringContaining('"Bo"'), expect.stringContaining('"Mia"')])
  })

  test('whose responses are lost at random, or of which a proxy sends a request twice, tells what the store gained, and so does one that is repeated', async () => {
    const random = seeded(61)
    let isLost = (): boolean => random(4) === 0
    let hasSentTwice = false
    using proxy = Bun.serve({
      port: 0,
      fetch: async request => {
        const send = { method: 'POST', headers: request.headers, body: await request.text() }
        const response = await fetch(`${service.url}/v1/pets`, send)
        if (hasSentTwice || !/:39\b/.test(send.body))
          return isLost() ? new Response(null, { status: 502 }) : response
        hasSentTwice = true
        return fetch(`${service.url}/v1/pets`, send)
      },
    })
    const bring = async (count: number) => {
      const before = (await stored()).length
      const args = [await csvWith(count, 40), '--yes', '--json', '--base-url', `${proxy.url}v1`]
      const { stdout } = await pets('import', ...args)
      return { told: JSON.parse(stdout), gained: (await stored()).length - before }
    }
    const all = { animalsAdded: 60, linesLeftOutAsImportedBefore: [], linesMaybeAdded: [] }
    expect([await bring(60), hasSentTwice]).toMatchObject([{ told: all, gained: 60 }, true])
    // Lost are only responses to rows that were there.
    let toLose = 5
    isLost = () => toLose-- > 0
    const linesLeftOutAsImportedBefore = Array.from({ length: 60 }, (_, i) => i + 2)
    const told = { animalsAdded: 30, linesLeftOutAsImportedBefore }
    expect(await bring(90)).toMatchObject({ told, gained: 30 })
  })

  test.each([[[]], [['--again', '--lines', '2-21']]])(
    'that is stopped names the lines that may have been added, and how to add the others (%p)',
    async flags => {
      using proxy = await TcpProxy.to(+(variables.PORT as string))
      proxy.loses = () => true
      const server = ['--base-url', `http://127.0.0.1:${proxy.port}/v1`]
      const args = ['pets', 'import', await csvWith(20), '--yes', '--json', ...server, ...flags]
      const { child, stdout, stderr } = start(args, variables)
      // As many as are sent at a time.
      await eventually('they are added', async () => (await stored()).length === 16 || undefined)
      child.kill('SIGINT')
      expect(await child.exited).toBe(1)
      const { idempotencyKey: key, ...facts } = JSON.parse(stdout.text)
      expect(facts).toMatchObject({ animalsAdded: 0, linesMaybeAdded: expect.arrayContaining([2, 17]) })
      const more = flags.length === 0 ? [] : ['--idempotency-key', key]
      const how = flags.length === 0 ? '' : ` with ${more.join(' ')}`
      expect(stderr.text).toEndWith(
        `petstore: Stopped by SIGINT. 0 animals had been added before that, and lines 2-17 may have been. Run the same command again${how} within 24 hours, with the same API key, to add the others; none is added twice.\n`,
      )
      proxy.loses = () => false
      const { code } = await petstore([...args, ...more], variables)
      expect([code, (await stored()).length, new Set(await stored()).size]).toEqual([0, 20, 20])
    },
  )

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
    const numbers = `9 2,9 2-9 3-2 2-0 0 0- 9- 1-3 1e0 2,x 2, -3 2-3-4 ${'9'.repeat(99)}`.split(' ')
    const rule = /--lines: "[^ ]*" must begin and end on a line with an animal/
    const cases: [RegExp, string, object?][] = [
      [/is a folder/, folder],
      [/neither UTF-8 nor UTF-16.*iconv -f WINDOWS-1252/, await bytes('latin1.csv', latin1)],
      [/--again and --idempotency-key need --lines/, two, { again: true }],
      [/--again and --idempotency-key need --lines/, two, { idempotencyKey: 'x' }],
      [/--lines: 2-3,3 lists a line twice/, two, { lines: '2-3,3' }],
      ...numbers.map((lines): [RegExp, string, object] => [rule, two, { lines }]),
    ]
    const given = { yes: true, apiKey: API_KEY, baseUrl: `${service.url}/v1` }
    for (const [reason, path, options] of cases) {
      const refused = importPets(path, { ...given, ...options })
      await expect(refused).rejects.toMatchObject({ exit: 'invalid', message: expect.stringMatching(reason) })
      await expect(refused).rejects.toThrow(/^[^\n]+$/)
    }
    expect(await stored()).toEqual([])
  })

  test('asks before it adds to production, and only there', async () => {
    const path = await csvWith(3)
    const { code, stderr } = await pets('import', path)
    const warning = `2 petstore: This adds 3 animals to ${service.url}/v1, and animals cannot be removed. `
    expect(`${code} ${stderr}`).toBe(`${warning}There is no terminal to ask for confirmation; add --yes.\n`)
    expect(await stored()).toEqual([])
    const { key } = newKey('staging', 'test')
    const settings = { PETSTORE_ENV: 'staging', PETSTORE_SERVER_API_KEY: key }
    using staging = await startService({ variables: settings })
    const there = { PETSTORE_API_KEY: key, PETSTORE_STAGING_BASE_URL: `${staging.url}/v1` }
    expect((await petstore(['pets', 'import', path], there)).code).toBe(0)
  })

  test('in a terminal shows how far it is, and then the outcome on a line of its own', async () => {
    const { text } = await inTerminal(['pets', 'import', await csvWith(300), '--yes'], variables)
    // Each line as last drawn.
    const [count, outcome] = text.split(/\r*\n/).map(line => line.split('\r').at(-1))
    expect([count, outcome]).toEqual(['Importing 300 animals: 300', 'Imported 300 animals.'])
  })
})

describe('an export', () => {
  test.each(['back.csv', '-'])('to %s comes back the same, exact to the last digit', async name => {
    // More than a page.
    const others = Array.from({ length: 100 }, (_, n) => GOOD[2].replace(/\d{9,}/, String(n)))
    const all = [...GOOD, ...others].toSorted()
    await pets('import', await file('good.ndjson', ...all), '--yes')
    expect(await stored()).toEqual(all)
    const path = name === '-' ? name : join(await freshFolder(), name)
    const { stdout } = await pets('export', path)
    using target = await startService()
    const arriving = name === '-' ? await file('piped', stdout) : path
    variables.PORT = new URL(target.url).port
    const within = ['sh', '-c', `"$@" < '${arriving}'`, 'sh']
    const back = ['pets', 'import', '-', '--yes', '--lines', '1-']
    expect(await petstore(back, variables, { within })).toMatchObject({ code: 0 })
    expect(await stored(target)).toEqual(all)
  })

  test('to a file is whole or not there, and replaces nothing unasked', async () => {
    await pets('import', await file('good.ndjson', ...GOOD), '--yes')
    const out = join(await freshFolder(), 'out.csv')
    expect((await pets('export', out)).stderr).toBe('Exported 3 animals.\n')
    expect((await pets('export', out)).stderr).toMatch(/^petstore: [^\n]+--force[^\n]+\n$/)
    expect((await pets('export', out, '--force', '--spreadsheet-safe')).code).toBe(0)
    expect([...(await Bun.file(out).bytes()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    using proxy = await TcpProxy.to(+(variables.PORT as string))
    proxy.hang()
    const server = `http://127.0.0.1:${proxy.port}/v1`
    const { child } = start(['pets', 'export', out, '--force', '--base-url', server], variables)
    await eventually('it waits for a page', () => proxy.connections > 0 || undefined)
    child.kill('SIGINT')
    expect(await child.exited).toBe(1)
    // Programs that trim what is not in quotes keep the names.
    for (const name of ['"Rex "', '" Zoë 🐾"']) expect(await Bun.file(out).text()).toContain(`,${name},`)
    expect(readdirSync(join(out, '..'))).toEqual(['out.csv'])
    for (const args of ['x.xlsx', 'x.ndjson --spreadsheet-safe'])
      expect((await pets('export', ...join(folder, args).split(' '))).code).toBe(2)
  })
})
