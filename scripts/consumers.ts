import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addManyPending } from '../tests/client/scenarios/world.ts'
import { ROOT, say } from './command.ts'
import { API_KEY, serve } from './serve.ts'

/**
 * The second half of `npm run interop`: the client that a service serves, in one project with the runtimes, compilers and test
 * runners of its users. The thorough tests run all its promises on Bun and on the installed Node.
 */
const NODES = ['20.20.2', '22.23.3', '24.20.0']
const COMPILERS = ['4.7.4', '4.9.5', '5.0.4', '5.9.3', '6.0.3', '7.0.2']
const PACKAGES = {
  // The last release whose program for Linux on ARM is on npm.
  deno: '2.9.5',
  jest: '30.5.2',
  // The last one before rolldown, whose program for Linux on ARM may be missing on npm.
  vite: '7.3.8',
  vitest: '5.1.0',
  workerd: '1.20261104.1',
  ...Object.fromEntries(COMPILERS.map(version => [`typescript-${version}`, `npm:typescript@${version}`])),
  // The program itself. The package `node` loads it in an install script.
  ...Object.fromEntries(
    NODES.map(version => [`node-${version}`, `npm:node-${process.platform}-${process.arch}@${version}`]),
  ),
}

/** Strict, with an old library, and with the declarations of packages checked. */
const STRICT = { noEmit: true, strict: true, target: 'es2020', lib: ['es2020', 'dom'], types: [] }
/** How projects find packages, and the releases of TypeScript that know it. */
const RESOLUTIONS = [
  { moduleResolution: 'node', module: 'commonjs', from: 4, to: 5 },
  { moduleResolution: 'node', module: 'commonjs', from: 6, to: 6, ignoreDeprecations: '6.0' },
  { moduleResolution: 'node16', module: 'node16', from: 4, to: 7, exactOptionalPropertyTypes: true },
  { moduleResolution: 'nodenext', module: 'nodenext', from: 4, to: 7 },
  { moduleResolution: 'bundler', module: 'esnext', from: 5, to: 7 },
]

const folder = mkdtempSync(join(tmpdir(), 'petstore-consumers-'))
let failures = 0

async function run(name: string, ...command: string[]): Promise<void> {
  const path = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) failures++
  say(code === 0 ? `✓ ${name}` : `✗ ${name}\n${out}${err}`)
}

/** Compiles one program as an ES module, as CommonJS, and as its package says. */
async function compile(version: string): Promise<void> {
  const major = Number.parseInt(version, 10)
  const known = RESOLUTIONS.filter(({ from, to }) => from <= major && major <= to)
  const runs = known.map(async ({ from: _, to: __, ...resolution }) => {
    const { moduleResolution } = resolution
    const project = `tsconfig.${version}.${moduleResolution}.json`
    const files = ['uses-types.ts', 'uses-types.mts', 'uses-types.cts']
    const compilerOptions = { ...STRICT, ...resolution }
    await Bun.write(join(folder, project), JSON.stringify({ compilerOptions, files }))
    const compiler = `node_modules/typescript-${version}/bin/tsc`
    await run(`TypeScript ${version}, ${moduleResolution}`, 'node', compiler, '--project', project)
  })
  await Promise.all(runs)
}

const consumers = join(ROOT, 'tests/thorough/client/consumers')
cpSync(consumers, folder, { recursive: true })
for (const kind of ['mts', 'cts'])
  cpSync(join(consumers, 'uses-types.ts'), join(folder, `uses-types.${kind}`))
// Under the names of tests, which they have only here.
renameSync(join(folder, 'jest.js'), join(folder, 'jest.test.js'))
renameSync(join(folder, 'vitest.mjs'), join(folder, 'vitest.test.mjs'))
const service = await serve()
const baseUrl = `${service.url}/v1`
const dependencies = { ...PACKAGES, '@petstore/client': `${service.url}/client.tgz` }
await Bun.write(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
await run('install', 'npm', 'install', '--no-audit', '--no-fund')
for (const version of COMPILERS) await compile(version)

await Bun.build({
  entrypoints: [join(ROOT, 'tests/thorough/client/run-scenarios.ts')],
  outdir: folder,
  target: 'node',
  naming: 'scenarios.mjs',
})
await addManyPending(baseUrl, API_KEY)
for (const version of NODES) {
  const node = `node_modules/node-${version}/bin/node`
  await run(`Node ${version}, import`, node, 'scenarios.mjs', baseUrl, API_KEY)
  await run(`Node ${version}, require`, node, 'requires.cjs')
}
await run('Bun', process.execPath, 'scenarios.mjs', baseUrl, API_KEY)
await run('Deno', 'deno', 'run', '--allow-all', 'scenarios.mjs', baseUrl, API_KEY)
await run('bundle', process.execPath, 'build', 'worker.mjs', '--outdir', 'bundled', '--external', 'node:*')
await run('workerd', 'workerd', 'test', 'worker.capnp')
await run('Jest', 'jest', 'jest.test.js')
await run('Vitest', 'vitest', 'run', 'vitest.test.mjs')
await service.stop()
rmSync(folder, { recursive: true })
process.exit(failures === 0 ? 0 : 1)
