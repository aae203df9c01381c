import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { OPERATIONS } from '../../../src/contract/operations.ts'
import { ALL_SCENARIOS } from '../../client/scenarios/index.ts'
import { addManyPending } from '../../client/scenarios/world.ts'
import { freshFolder } from '../../support/process.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'

const MAX_BYTES = 6 * 1024
const TSC = join(import.meta.dir, '../../../node_modules/.bin/tsc')
/** The part of Node that the README uses. */
const NODE_TYPES = 'declare const process: { readonly env: Partial<Record<string, string>> }'

/** Where the served client is installed, as on a user's machine. */
let folder: string
let tarball: ArrayBuffer
let service: ServiceProcess
beforeAll(async () => {
  service = await startProcess()
  folder = await freshFolder()
  tarball = await (await fetch(`${service.url}/client.tgz`)).arrayBuffer()
  await Bun.write(join(folder, 'package.json'), '{"name":"home","private":true,"type":"module"}')
  await Bun.write(join(folder, 'client.tgz'), tarball)
  const installing = Bun.$`npm install --no-audit --no-fund ./client.tgz`.cwd(folder).quiet()
  await Promise.all([installing, addManyPending(`${service.url}/v1`, API_KEY)])
})
afterAll(() => service.discard())

const installed = (file: string) => Bun.file(join(folder, 'node_modules/@petstore/client', file))

/** Runs a program in the folder of a user of the package. */
async function run(...command: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, PETSTORE_BASE_URL: `${service.url}/v1`, PETSTORE_API_KEY: API_KEY }
  const child = Bun.spawn(command, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, stdout, stderr }
}

test.each([
  ['Bun', process.execPath],
  ['Node', 'node'],
])('the served client keeps every promise on %s', async (runtime, command) => {
  const entry = join(import.meta.dir, 'run-scenarios.ts')
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    outdir: folder,
    target: 'node',
    naming: '[name].mjs',
  })
  const bare = 'env -u PETSTORE_API_KEY -u PETSTORE_BASE_URL'.split(' ')
  const { stdout } = await run(...bare, command, outputs[0]?.path ?? '', `${service.url}/v1`, API_KEY)
  const held = Object.keys(ALL_SCENARIOS).map(name => [name, 'held'])
  expect(JSON.parse(stdout)).toEqual({ runtime, ...Object.fromEntries(held) })
})

/** The texts in a package, by their paths. */
async function filesIn(tarball: ArrayBuffer): Promise<Record<string, string>> {
  const files = [...(await new Bun.Archive(tarball).files())].map(
    async ([path, file]) => [path, await file.text()] as const,
  )
  return Object.fromEntries(await Promise.all(files))
}

test('the served client is the package that npm publishes, file by file, and depends on nothing', async () => {
  const packed = await freshFolder()
  await Bun.$`npm pack --pack-destination ${packed}`.cwd(join(import.meta.dir, '../../../client')).quiet()
  const [published = ''] = [...new Bun.Glob('*.tgz').scanSync(packed)]
  const served = await filesIn(tarball)
  expect(served).toEqual(await filesIn(await Bun.file(join(packed, published)).arrayBuffer()))
  expect(served['package/package.json']).not.toMatch(/ependencies"/)
})

test.each([
  ['6 KB, minified and gzipped, with all that it exports', '*', MAX_BYTES],
  ['a fifth of that where little is used', '{ parsePet }', MAX_BYTES / 5],
])('a bundle grows by at most %s', async (_what, names, most) => {
  const entry = join(folder, 'entry.js')
  await Bun.write(entry, `export ${names} from '@petstore/client'`)
  const { outputs } = await Bun.build({ entrypoints: [entry], minify: true, target: 'browser' })
  const bytes = new Uint8Array((await outputs[0]?.arrayBuffer()) ?? [])
  expect(Bun.gzipSync(bytes, { level: 9 }).length).toBeLessThanOrEqual(most)
})

test('a strict project gets its types, and every snippet of its README does what it says', async () => {
  const snippets = [...(await installed('README.md').text()).matchAll(/^```(ts|js)\n(.*?)^```/gms)]
  expect(snippets.length).toBeGreaterThan(5)
  const files = snippets.map(([, language], index) => `readme-${index}.${language === 'js' ? 'cjs' : 'ts'}`)
  for (const [index, [, language, code = '']] of snippets.entries())
    await Bun.write(join(folder, files[index] ?? ''), language === 'js' ? code : `${code}\nexport {}\n`)
  const types = Bun.file(join(import.meta.dir, 'consumers/uses-types.ts'))
  await Bun.write(join(folder, 'uses-types.ts'), types)
  await Bun.write(join(folder, 'node.d.ts'), NODE_TYPES)
  const flags = '--noEmit --strict --target es2022 --lib es2022,dom --module nodenext uses-types.ts node.d.ts'
  const compiled = await run(TSC, ...flags.split(' '), ...files.filter(file => file.endsWith('.ts')))
  expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' })
  const runs = files.map(async file => ({
    file,
    ...(await run(file.endsWith('.cjs') ? 'node' : process.execPath, file)),
  }))
  for (const { file, code, stderr } of await Promise.all(runs))
    expect({ file, code, errors: code === 0 ? '' : stderr }).toEqual({ file, code: 0, errors: '' })
})

test('get is marked as deprecated, with the dates and the replacement of the contract', async () => {
  const declared = await installed('dist/esm/pets.d.ts').text()
  const { since, sunset, replacement } = OPERATIONS.getPet.deprecated
  const [, note = ''] = /@deprecated([^/]*?\/pets[^/]*)\*\/\s*get\(/.exec(declared) ?? []
  for (const date of [since, sunset]) expect(note).toContain(date.toISOString().slice(0, 10))
  expect(note.replaceAll(/\s+\*?\s*/g, ' ')).toContain(replacement)
})

test('an error has the name of its class, also where both kinds of modules are loaded', async () => {
  const script = `import { createRequire } from 'node:module'
import * as esm from '@petstore/client'
const cjs = createRequire(import.meta.url)('@petstore/client')
const options = { apiKey: 'key', baseUrl: 'http://petstore.test/v1', fetch: async () =>
  Response.json({ code: 'pet_not_found', message: 'None.', status: 404 }, { status: 404 }) }
for (const [one, other] of [[esm, cjs], [cjs, esm]]) {
  const error = await new one.Petstore(options).pets.get(1).catch(error => error)
  console.log(one.NotFoundError !== other.NotFoundError, error instanceof one.NotFoundError, error.name)
}`
  await Bun.write(join(folder, 'both.mjs'), script)
  expect((await run('node', 'both.mjs')).stdout).toBe('true true NotFoundError\n'.repeat(2))
})
