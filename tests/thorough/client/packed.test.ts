import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import { ALL_SCENARIOS } from '../../client/scenarios/index.ts'
import { addManyPending } from '../../client/scenarios/world.ts'
import { type PackedClient, packClient } from '../../support/packed-client.ts'
import { freshSqliteUrl } from '../../support/process.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'
import { bundleScenarios, Runtime } from './runtime.ts'

const MAX_BYTES = 5.5 * 1024

let client: PackedClient
let service: ServiceProcess
let script: string

beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  ;[client] = await Promise.all([packClient(), addManyPending(`${service.url}/v1`, API_KEY)])
  script = await bundleScenarios(client.folder)
})

afterAll(() => service.stop())

describe.each([
  ['Bun', process.execPath],
  ['Node', 'node'],
])('the packed client on %s', (name, command) => {
  let runtime: Runtime

  beforeAll(() => {
    runtime = new Runtime(name, command, script, `${service.url}/v1`, API_KEY)
  })

  afterAll(() => runtime.end())

  test.each(Object.keys(ALL_SCENARIOS))('%s', scenario => runtime.run(scenario))
})

describe('the package', () => {
  test('holds readable JavaScript, declarations, maps and the sources, and nothing else', async () => {
    const { files } = client
    const sources = files.filter(file => file.startsWith('src/'))
    const built = (folder: string) =>
      sources
        .map(file => file.replace('src/', `dist/${folder}/`).replace(/ts$/, ''))
        .flatMap(stem => ['d.ts', 'd.ts.map', 'js', 'js.map'].map(ending => stem + ending))
    const texts = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'dist/cjs/package.json']
    expect(files).toEqual([...texts, ...sources, ...built('esm'), ...built('cjs')].sort())
    for (const format of ['esm', 'cjs']) {
      const script = await Bun.file(join(installed(), `dist/${format}/transport.js`)).text()
      expect(script).toContain('// Following a redirect could send the key elsewhere')
      const map = await Bun.file(join(installed(), `dist/${format}/transport.js.map`)).json()
      expect(map.sources).toEqual(['../../src/transport.ts'])
      expect(files).toContain(join(`dist/${format}`, map.sources[0]))
    }
  })

  test('is at most 5.5 KB, minified and gzipped, with all that it exports', async () => {
    expect(await gzippedBytes("export * from '@petstore/client'")).toBeLessThanOrEqual(MAX_BYTES)
  })

  test('costs a bundle only what it uses', async () => {
    expect(await gzippedBytes("export { parsePet } from '@petstore/client'")).toBeLessThan(MAX_BYTES / 5)
  })

  test('gives its types to a strict project, and to every snippet of its README', async () => {
    await Bun.write(join(client.folder, 'uses-types.ts'), await Bun.file(USES_TYPES).text())
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      '--module',
      'nodenext',
    ]
    const snippets = (await snippetsOf(client.folder)).filter(file => file.endsWith('.ts'))
    await Bun.write(join(client.folder, 'node.d.ts'), NODE_TYPES)
    const child = Bun.spawn([TSC, ...flags, 'uses-types.ts', 'node.d.ts', ...snippets], {
      cwd: client.folder,
    })
    expect(await child.stdout.text()).toBe('')
    expect(await child.exited).toBe(0)
  })

  test('does what every snippet of its README says', async () => {
    const environment = {
      PETSTORE_API_KEY: API_KEY,
      PETSTORE_BASE_URL: `${service.url}/v1`,
      PETSTORE_STAGING_BASE_URL: `${service.url}/v1`,
    }
    const runs = (await snippetsOf(client.folder)).map(async file => {
      const child = Bun.spawn([file.endsWith('.cjs') ? 'node' : process.execPath, file], {
        cwd: client.folder,
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const [stderr, code] = await Promise.all([child.stderr.text(), child.exited, child.stdout.text()])
      return { file, code, errors: code === 0 ? '' : stderr }
    })
    expect(runs.length).toBeGreaterThan(5)
    for (const { file, code, errors } of await Promise.all(runs))
      expect({ file, code, errors }).toEqual({ file, code: 0, errors: '' })
  })

  test('marks get as deprecated, with the dates and the replacement of the contract', async () => {
    const declared = await Bun.file(join(installed(), 'dist/esm/pets.d.ts')).text()
    const { since, sunset, replacement } = OPERATIONS.getPet.deprecated
    const [, note = ''] = /@deprecated([^/]*?\/pets[^/]*)\*\/\s*get\(/.exec(declared) ?? []
    for (const date of [since, sunset]) expect(note).toContain(date.toISOString().slice(0, 10))
    expect(note.replaceAll(/\s+\*?\s*/g, ' ')).toContain(replacement)
  })

  test('tells its errors by instanceof even where both kinds of modules are loaded', async () => {
    const script = `import { createRequire } from 'node:module'
import * as esm from '@petstore/client'
const cjs = createRequire(import.meta.url)('@petstore/client')
const options = { apiKey: 'key', baseUrl: 'http://petstore.test/v1', fetch: async () =>
  Response.json({ code: 'pet_not_found', message: 'None.', status: 404 }, { status: 404 }) }
for (const [one, other] of [[esm, cjs], [cjs, esm]]) {
  const error = await new one.Petstore(options).pets.get(1).catch(error => error)
  if (one.NotFoundError === other.NotFoundError) throw new Error('This is one module.')
  for (const kind of ['NotFoundError', 'ApiError', 'PetstoreError', 'TimeoutError'])
    console.log(kind, error instanceof other[kind])
}`
    await Bun.write(join(client.folder, 'both.mjs'), script)
    const { stdout } = Bun.spawnSync(['node', 'both.mjs'], { cwd: client.folder })
    const told = 'NotFoundError true\nApiError true\nPetstoreError true\nTimeoutError false\n'
    expect(stdout.toString()).toBe(told + told)
  })

  test('depends on nothing', async () => {
    const { dependencies, peerDependencies } = await Bun.file(join(installed(), 'package.json')).json()
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined])
    const scripts = client.files.filter(file => /^dist.*\.js$/.test(file))
    for (const file of scripts)
      expect(await Bun.file(join(installed(), file)).text()).not.toMatch(/(?:from|require\()\s*["'][^.]/)
  })
})

/** Writes each snippet to a file of the user's project. */
async function snippetsOf(folder: string): Promise<string[]> {
  const readme = await Bun.file(join(installed(), 'README.md')).text()
  const snippets = [...readme.matchAll(/^```(ts|js)\n(.*?)^```/gms)]
  return Promise.all(
    snippets.map(async ([, language, code = ''], index) => {
      const file = `readme-${index}.${language === 'js' ? 'cjs' : 'ts'}`
      await Bun.write(join(folder, file), language === 'js' ? code : `${code}\nexport {}\n`)
      return file
    }),
  )
}

/** The part of Node that the README uses. */
const NODE_TYPES = 'declare const process: { readonly env: Partial<Record<string, string>> }'

/** How much a user's bundle grows. */
async function gzippedBytes(code: string): Promise<number> {
  const entry = join(client.folder, 'entry.js')
  await Bun.write(entry, code)
  const { outputs } = await Bun.build({ entrypoints: [entry], minify: true, target: 'browser' })
  return Bun.gzipSync(new Uint8Array((await outputs[0]?.arrayBuffer()) ?? []), { level: 9 }).length
}

const USES_TYPES = join(import.meta.dir, 'consumers/uses-types.ts')

const TSC = join(import.meta.dir, '../../../node_modules/.bin/tsc')

const installed = (): string => join(client.folder, 'node_modules/@petstore/client')
