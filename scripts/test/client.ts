import { cp, mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type PackedClient, packClient } from '../../tests/support/project/packed-client.ts'
import { ROOT, say } from '../command.ts'

/** `npm run test:client`: tests the packed client with every kind of consumer, installed from npm into a temporary folder. */
const CONSUMERS = join(ROOT, 'tests/thorough/client/consumers')
const NODES = ['20.0.0', '22.12.0', '24.0.0']
const TYPESCRIPTS = ['5.0.4', '5.4.5', '5.9.3', '6.0.3']
const RESOLUTIONS = [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const
const RUNNERS = {
  jest: { file: 'jest.js', install: ['jest@30.5.2'], command: ['jest'] },
  'ts-jest': {
    file: 'ts-jest.ts',
    install: ['jest@30.5.2', 'ts-jest@29.4.15', 'typescript@5.9.3', '@types/jest@30.0.0'],
    command: ['jest', '--preset', 'ts-jest'],
  },
  vitest: { file: 'vitest.mjs', install: ['vitest@5.1.0'], command: ['vitest', 'run'] },
} as const

let failed = 0

async function run(name: string, cwd: string, ...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) failed++
  say(`${code === 0 ? '✓' : '✗'} ${name}${code === 0 ? '' : `\n${stdout}${stderr}`}`)
}

/** A user's project with the client and some other packages. */
async function project(
  { folder, tarball }: PackedClient,
  name: string,
  packages: readonly string[],
): Promise<string> {
  const home = join(folder, '..', name)
  await mkdir(home)
  await cp(CONSUMERS, home, { recursive: true })
  await Bun.write(join(home, 'package.json'), '{"private":true}')
  await run(`${name}: install`, home, 'npm', 'install', '--no-audit', '--no-fund', tarball, ...packages)
  return home
}

const bin = (home: string, program: string): string => join(home, 'node_modules/.bin', program)

const client = await packClient()

const checkers = await project(client, 'checkers', ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'])
await run('publint', checkers, bin(checkers, 'publint'), '--strict', client.tarball)
await run('attw', checkers, bin(checkers, 'attw'), client.tarball)

for (const version of NODES) {
  const home = await project(client, `node-${version}`, [`node@${version}`])
  await run(`Node ${version}: require`, home, bin(home, 'node'), 'requires.cjs')
  await run(`Node ${version}: import`, home, bin(home, 'node'), 'imports.mjs')
}

const others = await project(client, 'other-runtimes', ['deno@2.9.6', 'workerd@1.20261104.1'])
await run('Bun', others, process.execPath, 'imports.mjs')
await run('Deno', others, bin(others, 'deno'), 'run', '--allow-env', 'imports.mjs')
// A worker is a single file, so this also shows that the client can be bundled.
const bundle = [process.execPath, 'build', 'worker.mjs', '--outdir', 'bundled', '--external', 'node:*']
await run('workerd: bundle', others, ...bundle)
await run('workerd', others, bin(others, 'workerd'), 'test', 'worker.capnp')

for (const version of TYPESCRIPTS) {
  const home = await project(client, `typescript-${version}`, [`typescript@${version}`])
  const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom']
  for (const [module, resolution] of RESOLUTIONS)
    await run(
      `TypeScript ${version}: ${resolution}`,
      home,
      ...[bin(home, 'tsc'), ...flags, '--module', module, '--moduleResolution', resolution, 'uses-types.ts'],
    )
}

for (const [name, { file, install, command }] of Object.entries(RUNNERS)) {
  const home = await project(client, name, install)
  const [program, ...args] = command
  await cp(join(home, file), join(home, `client.test${extname(file)}`))
  await run(name, home, bin(home, program), ...args)
}

say(failed === 0 ? 'Every consumer works.' : `${failed} failed.`)
process.exit(failed === 0 ? 0 : 1)
