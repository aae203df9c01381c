import { cpSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { addManyPending } from '../../tests/client/scenarios/world.ts'
import { API_KEY } from '../../tests/support/http.ts'
import { ROOT } from '../command.ts'
import type { Project, Steps } from './tools.ts'

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

/** Compiles one program as an ES module, as CommonJS, and as its package says. */
async function compile(version: string, project: Project, steps: Steps): Promise<void> {
  const major = Number.parseInt(version, 10)
  const known = RESOLUTIONS.filter(({ from, to }) => from <= major && major <= to)
  const runs = known.map(async ({ from: _, to: __, ...resolution }) => {
    const { moduleResolution } = resolution
    const config = `tsconfig.${version}.${moduleResolution}.json`
    const files = ['uses-types.ts', 'uses-types.mts', 'uses-types.cts']
    const compilerOptions = { ...STRICT, ...resolution }
    await Bun.write(join(project.folder, config), JSON.stringify({ compilerOptions, files }))
    const compiler = `node_modules/typescript-${version}/bin/tsc`
    await steps.step(`TypeScript ${version}, ${moduleResolution}`, () =>
      project.run('node', compiler, '--project', config),
    )
  })
  await Promise.all(runs)
}

/**
 * The client that a service serves, in one project with the runtimes, compilers and test runners of its users. The thorough tests
 * run all its promises on Bun and on the installed Node.
 */
export async function consume(url: string, project: Project, steps: Steps): Promise<void> {
  const { folder } = project
  const run = (name: string, ...command: string[]) => steps.step(name, () => project.run(...command))
  const programs = join(ROOT, 'tests/thorough/client/consumers')
  cpSync(programs, folder, { recursive: true })
  for (const kind of ['mts', 'cts'])
    cpSync(join(programs, 'uses-types.ts'), join(folder, `uses-types.${kind}`))
  // Under the names of tests, which they have only here.
  renameSync(join(folder, 'jest.js'), join(folder, 'jest.test.js'))
  renameSync(join(folder, 'vitest.mjs'), join(folder, 'vitest.test.mjs'))
  const dependencies = { ...PACKAGES, '@petstore/client': `${url}/client.tgz` }
  await steps.step('install the client', () => project.install({ private: true, dependencies }))
  for (const version of COMPILERS) await compile(version, project, steps)

  await Bun.build({
    entrypoints: [join(ROOT, 'tests/thorough/client/run-scenarios.ts')],
    outdir: folder,
    target: 'node',
    naming: 'scenarios.mjs',
  })
  const baseUrl = `${url}/v1`
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
}
