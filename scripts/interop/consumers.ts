import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { addManyPending } from '../../tests/client/scenarios/world.ts'
import { API_KEY } from '../../tests/support/http.ts'
import { ROOT } from '../command.ts'
import { type Project, step } from './tools.ts'

const NODES = ['20.20.2', '24.20.0']
/** The oldest compiler, the last one of each later major release, and for each a way in which projects find packages. */
const COMPILERS = {
  '4.7.4': { moduleResolution: 'node16', module: 'node16', exactOptionalPropertyTypes: true },
  '5.9.3': { moduleResolution: 'node', module: 'commonjs' },
  '6.0.3': { moduleResolution: 'bundler', module: 'esnext' },
  '7.0.2': { moduleResolution: 'nodenext', module: 'nodenext' },
}
const PACKAGES = {
  // The last release whose program for Linux on ARM is on npm.
  deno: '2.9.5',
  workerd: '1.20261104.1',
  ...Object.fromEntries(
    Object.keys(COMPILERS).map(version => [`typescript-${version}`, `npm:typescript@${version}`]),
  ),
  // The program itself. The package `node` loads it in an install script.
  ...Object.fromEntries(
    NODES.map(version => [`node-${version}`, `npm:node-${process.platform}-${process.arch}@${version}`]),
  ),
}

/** Strict, with an old library, and with the declarations of packages checked. */
const STRICT = { noEmit: true, strict: true, target: 'es2020', lib: ['es2020', 'dom'], types: [] }

/**
 * The client that a service serves, in one project with the runtimes and compilers of its users. The thorough tests
 * run all its promises on Bun and on the installed Node.
 */
export async function consume(url: string, project: Project): Promise<void> {
  const { folder } = project
  const run = (name: string, ...command: string[]) => step(name, () => project.run(...command))
  const programs = join(ROOT, 'tests/thorough/client/consumers')
  cpSync(programs, folder, { recursive: true })
  for (const kind of ['mts', 'cts'])
    cpSync(join(programs, 'uses-types.ts'), join(folder, `uses-types.${kind}`))
  const dependencies = { ...PACKAGES, '@petstore/client': `${url}/client.tgz` }
  await step('install the client', () => project.install({ private: true, dependencies }))
  // One program as an ES module, as CommonJS, and as its package says.
  const files = ['uses-types.ts', 'uses-types.mts', 'uses-types.cts']
  for (const [version, resolution] of Object.entries(COMPILERS)) {
    const compilerOptions = { ...STRICT, ...resolution }
    await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    await run(`TypeScript ${version}`, 'node', `node_modules/typescript-${version}/bin/tsc`)
  }

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
}
