import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT, say } from './command.ts'

/**
 * The second half of `npm run interop`: the packed client as its users have it, in one project with the runtimes, compilers and
 * test runners of others. The thorough tests run all its promises on Bun and Node, and in a browser.
 */
const PACKAGES = {
  '@arethetypeswrong/cli': '0.18.5',
  // The last release whose program for Linux on ARM is on npm.
  deno: '2.9.5',
  jest: '30.5.2',
  'oldest-typescript': 'npm:typescript@5.0.4',
  publint: '0.3.25',
  typescript: '6.0.3',
  // The last one before rolldown, whose program for Linux on ARM may be missing on npm.
  vite: '7.3.8',
  vitest: '5.1.0',
  workerd: '1.20261104.1',
}
/** The types of Node, which the test runners bring along, are too new for the oldest compiler. */
const TSCONFIG = {
  compilerOptions: { noEmit: true, strict: true, target: 'es2022', lib: ['es2022', 'dom'], types: [] },
  files: ['uses-types.ts'],
}
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

cpSync(join(ROOT, 'tests/thorough/client/consumers'), folder, { recursive: true })
// Under the names of tests, which they have only here.
renameSync(join(folder, 'jest.js'), join(folder, 'jest.test.js'))
renameSync(join(folder, 'vitest.mjs'), join(folder, 'vitest.test.mjs'))
await run('pack', 'npm', 'pack', join(ROOT, 'client'))
const [tarball = ''] = [...new Bun.Glob('*.tgz').scanSync(folder)]
const dependencies = { ...PACKAGES, '@petstore/client': `file:${tarball}` }
await Bun.write(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
await run('install', 'npm', 'install', '--no-audit', '--no-fund')
await run('publint', 'publint', '--strict', tarball)
await run('Are the types wrong?', 'attw', tarball)
await run('Node, require', 'node', 'requires.cjs')
await run('Node, import', 'node', 'runs.mjs')
await run('Bun', process.execPath, 'runs.mjs')
await run('Deno', 'deno', 'run', '--allow-env', 'runs.mjs')
await run('bundle', process.execPath, 'build', 'worker.mjs', '--outdir', 'bundled', '--external', 'node:*')
await run('workerd', 'workerd', 'test', 'worker.capnp')
await run('Jest', 'jest', 'jest.test.js')
await run('Vitest', 'vitest', 'run', 'vitest.test.mjs')
for (const compiler of ['oldest-typescript', 'typescript'])
  for (const [module = '', resolution = ''] of [
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ]) {
    const flags = ['--project', '.', '--module', module, '--moduleResolution', resolution]
    await run(`${compiler}, ${resolution}`, 'node', `node_modules/${compiler}/bin/tsc`, ...flags)
  }
rmSync(folder, { recursive: true })
process.exit(failures === 0 ? 0 : 1)
