import { expect, test } from 'bun:test'
import { copyFile, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RELEASE } from '../../src/this-program.ts'
import { environmentWith, freshFolder, Output, type Variables } from '../support/process.ts'

const SCRIPT = join(import.meta.dir, '../../petstore')

function run(command: readonly string[], cwd: string, variables: Variables = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd, env: environmentWith(variables) })
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

test('./petstore runs from any folder and through symbolic links, without a home or a bunfig.toml of that folder', async () => {
  const folder = await freshFolder()
  const bin = join(folder, 'a folder', 'bin')
  await mkdir(bin, { recursive: true })
  await symlink(SCRIPT, join(bin, 'absolute'))
  await symlink('a folder/bin/absolute', join(folder, 'pets'))
  await Bun.write(join(folder, 'bunfig.toml'), 'preload = ["./missing.ts"]\n')
  const printsVersion = { code: 0, stdout: `${RELEASE}\n`, stderr: '' }
  expect(run([SCRIPT, '--version'], '/')).toEqual(printsVersion)
  expect(run(['sh', 'petstore', '--version'], dirname(SCRIPT), { CDPATH: '/:/tmp' })).toEqual(printsVersion)
  expect(run(['./pets', '--version'], folder, { HOME: '/nowhere' })).toEqual(printsVersion)
})

test('./petstore hands every argument on as it is', () =>
  expect(run([SCRIPT, 'a  b"\'$HOME`*'], '/').stderr).toStartWith(
    `petstore: Unknown command 'a  b"'$HOME\`*'.`,
  ))

test('./petstore says what to do where npm ci was not run', async () => {
  const folder = await freshFolder()
  await copyFile(SCRIPT, join(folder, 'petstore'))
  expect(run(['sh', join(folder, 'petstore'), 'serve'], '/')).toEqual({
    code: 1,
    stdout: '',
    stderr: `petstore: The Bun runtime is not installed in ${folder}. Run this there: npm ci\n`,
  })
})

test('./petstore leaves no shell in between: a signal to its process drains the service', async () => {
  const output = new Output()
  const child = Bun.spawn([SCRIPT, 'serve', '--port', '0'], {
    cwd: await freshFolder(),
    env: environmentWith({}),
    stdio: ['ignore', output.file, 'inherit'],
  })
  await output.entry(({ event }) => event === 'listening')
  expect(output.text).toContain(`Create one: ${SCRIPT} keys create`)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(output.text).toContain('"stopped"')
})
