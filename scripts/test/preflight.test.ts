import { expect, test } from 'bun:test'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { freshFolder } from '../../tests/support/service/folder.ts'

const PROGRAMS = join(import.meta.dir, '../../tests/support/programs')

interface Machine {
  readonly isRoot: boolean
  /** The exit code of `apt-get install`; with 0 it has installed everything. */
  readonly installs: number
  readonly flags?: readonly string[]
}

/** The preflight on a machine without caddy and wrk, with our own apt-get and apt-cache that record their calls. */
async function preflightOn({ isRoot, installs, flags = [] }: Machine) {
  const folder = await freshFolder()
  const calls = join(folder, 'calls')
  const scripts = {
    'apt-get': `#!/bin/sh\necho apt-get "$@" >>${calls}\n[ "$1" = update ] && exit 1\nexit ${installs}\n`,
    'apt-cache': `#!/bin/sh\n[ "$2" != wrk ]\n`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    await Bun.write(join(folder, name), script)
    await chmod(join(folder, name), 0o755)
  }
  await Bun.write(
    join(folder, 'machine.ts'),
    `import { existsSync, readFileSync } from 'node:fs'
     process.getuid = () => ${isRoot ? 0 : 1000}
     const isInstalled = () => ${installs} === 0 && existsSync('${calls}') && readFileSync('${calls}', 'utf8').includes(' install ')
     Bun.which = name => (name === 'apt-get' || name === 'git' || (name === 'caddy' && isInstalled()) ? name : null)`,
  )
  await Bun.write(
    join(folder, 'main.ts'),
    `import { preflight } from '${PROGRAMS}/preflight.ts'
     await preflight(new Map([['caddy', ['tests/operate/caddy']], ['git', ['tests/a', 'tests/b']], ['wrk', ['npm run bench']], ['root', ['tests/c']]]))`,
  )
  const child = Bun.spawn([process.execPath, '--preload', './machine.ts', 'main.ts', ...flags], {
    cwd: folder,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  const called = Bun.file(calls)
  return { said, calls: (await called.exists()) ? (await called.text()).trim().split('\n') : [] }
}

const INSTALL = 'apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=600 caddy'

test('shows what is needed, found or missing, and by which tests', async () => {
  const { said } = await preflightOn({ isRoot: false, installs: 0 })
  expect(said.split('\n').slice(0, 5)).toEqual([
    'program  here     needed by',
    'caddy    missing  tests/operate/caddy',
    'git      found    tests/a, tests/b',
    'wrk      missing  npm run bench',
    'root     missing  tests/c',
  ])
})

test('installs as root all that the machine can have, in one go', async () => {
  const { said, calls } = await preflightOn({ isRoot: true, installs: 0 })
  expect(calls).toEqual(['apt-get update -q -o DPkg::Lock::Timeout=600', INSTALL])
  expect(said).toContain('Installing caddy, wrk (--no-install prevents this):\n')
  expect(said).toContain('The package sources of this machine have no wrk.\n')
  expect(said).toEndWith('Still missing: wrk.\n')
})

test('goes on where the installation fails', async () => {
  const { said, calls } = await preflightOn({ isRoot: true, installs: 100 })
  expect(calls.at(-1)).toBe(INSTALL)
  expect(said).toContain('apt-get ended with 100. The tests go on without what it did not install.\n')
  expect(said).toEndWith('Still missing: caddy, wrk.\n')
})

test.each([
  ['as an ordinary user', { isRoot: false, installs: 0 }, 'sudo npm run test:setup'],
  ['with --no-install', { isRoot: true, installs: 0, flags: ['--no-install'] }, 'npm run test:setup'],
] as const)('installs nothing %s, and says how', async (_who, machine, how) => {
  const { said, calls } = await preflightOn(machine)
  expect(calls).toEqual([])
  expect(said).toEndWith(`Missing: caddy, wrk. To install them on Debian or Ubuntu: ${how}\n`)
})
