import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { ROOT, say } from './command.ts'

/** Tests the packed client with every kind of consumer, installed from npm into a temporary folder. */
const CONSUMERS = join(ROOT, 'tests/thorough/client/consumers')
const TYPESCRIPTS = ['5.0.4', '5.4.5', '5.9.3', '6.0.3']
const RESOLUTIONS = ['node16 node16', 'nodenext nodenext', 'esnext bundler']
const TSC = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom']
const JEST = ['jest@30.5.2', '@types/jest@30.0.0', 'ts-jest@29.4.15', 'typescript@5.9.3']
const RUNNERS: readonly [file: string, packages: readonly string[], command: readonly string[]][] = [
  ['jest.js', JEST, ['jest']],
  ['ts-jest.ts', JEST, ['jest', '--preset', 'ts-jest']],
  ['vitest.mjs', ['vitest@5.1.0'], ['vitest', 'run']],
]
const folder = mkdtempSync(join(tmpdir(), 'petstore-consumers-'))
let failures = 0

async function run(name: string, cwd: string, ...command: string[]): Promise<void> {
  // A program whose installation failed is not there.
  const words = Bun.which(command[0] ?? '') === null ? ['false'] : command
  const child = Bun.spawn(words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) failures++
  say(code === 0 ? `✓ ${name}` : `✗ ${name}\n${out}${err}`)
}

await run('pack', join(ROOT, 'client'), 'npm', 'pack', '--pack-destination', folder)
const [tarball = ''] = [...new Bun.Glob('*.tgz').scanSync({ cwd: folder, absolute: true })]

/** A user's project with the client and some other packages; runs its programs. */
async function project(name: string, ...packages: string[]) {
  const home = join(folder, name)
  mkdirSync(home)
  cpSync(CONSUMERS, home, { recursive: true })
  await Bun.write(join(home, 'package.json'), '{"private":true}')
  await run(`${name}: install`, home, 'npm', 'install', '--no-audit', '--no-fund', tarball, ...packages)
  return {
    home,
    run: (what: string, program: string, ...args: string[]) =>
      run(`${name}: ${what}`, home, join(home, 'node_modules/.bin', program), ...args),
  }
}

const checkers = await project('checkers', 'publint@0.3.25', '@arethetypeswrong/cli@0.18.5')
await checkers.run('publint', 'publint', '--strict', tarball)
await checkers.run('attw', 'attw', tarball)
const deno = await project('deno', 'deno@2.9.6')
await deno.run('import', 'deno', 'run', '--allow-env', 'imports.mjs')
const others = await project('workerd', 'workerd@1.20261104.1')
await run('Node: require', others.home, 'node', 'requires.cjs')
await run('Node: import', others.home, 'node', 'imports.mjs')
// A worker is a single file, so this also shows that the client can be bundled.
const bundle = ['build', 'worker.mjs', '--outdir', 'bundled', '--external', 'node:*']
await run('bundle', others.home, process.execPath, ...bundle)
await others.run('test', 'workerd', 'test', 'worker.capnp')
for (const version of TYPESCRIPTS) {
  const typescript = await project(`typescript-${version}`, `typescript@${version}`)
  for (const pair of RESOLUTIONS) {
    const [module = '', resolution = ''] = pair.split(' ')
    const flags = [...TSC, '--module', module, '--moduleResolution', resolution]
    await typescript.run(resolution, 'tsc', ...flags, 'uses-types.ts')
  }
}
for (const [file, packages, [program = '', ...args]] of RUNNERS) {
  const runner = await project(file, ...packages)
  cpSync(join(runner.home, file), join(runner.home, `client.test${extname(file)}`))
  await runner.run('test', program, ...args)
}
rmSync(folder, { recursive: true })
process.exit(failures === 0 ? 0 : 1)
