import { expect, test } from 'bun:test'
import { copyFile, mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RELEASE } from '../../src/release.ts'
import { environmentWith, freshFolder, Output, type Variables } from '../support/process.ts'

const SCRIPT = join(import.meta.dir, '../../petstore')

function run(command: readonly string[], cwd: string, variables: Variables = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd, env: environmentWith(variables) })
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

/** A folder of somebody who wants to run code in our program, and change its settings. */
async function strangersFolder(): Promise<string> {
  const folder = await freshFolder()
  const files = {
    'bunfig.toml': 'preload = ["./stranger.ts"]\n',
    'tsconfig.json': '{ "compilerOptions": { "paths": { "*": ["./stranger.ts"] } } }',
    'stranger.ts': 'console.log("stranger")\n',
    '.env': 'PETSTORE_ENV=stranger\n',
  }
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), text)
  return folder
}

test('./petstore runs from any folder and through symbolic links, without a home or the configuration of that folder', async () => {
  const folder = await strangersFolder()
  const bin = join(folder, 'a folder', 'bin')
  await mkdir(bin, { recursive: true })
  await symlink(SCRIPT, join(bin, 'absolute'))
  await symlink('a folder/bin/absolute', join(folder, 'pets'))
  const commit = run(['git', 'describe', '--always', '--dirty', '--exclude=*'], dirname(SCRIPT)).stdout.trim()
  const printsVersion = { code: 0, stdout: `${RELEASE}${commit && ` (${commit})`}\n`, stderr: '' }
  expect(run([SCRIPT, '--version'], '/')).toEqual(printsVersion)
  expect(run(['sh', 'petstore', '--version'], dirname(SCRIPT), { CDPATH: '/:/tmp' })).toEqual(printsVersion)
  expect(run(['./pets', '--version'], folder, { HOME: '/nowhere' })).toEqual(printsVersion)
  const listed = run(['./pets', 'keys', 'list'], folder, { NODE_ENV: 'production' })
  const stderr = expect.stringContaining(`There is no database at ${join(folder, 'data/production.db')}`)
  expect(listed).toMatchObject({ code: 3, stderr })
  // Every argument arrives as it is.
  const odd = 'a  b"\'$HOME`*'
  expect(run([SCRIPT, odd], '/').stderr).toStartWith(`petstore: Unknown command '${odd}'.`)
})

test('./petstore says what to do where npm ci was not run', async () => {
  const folder = await freshFolder()
  await copyFile(SCRIPT, join(folder, 'petstore'))
  const stderr = `petstore: The Bun runtime is not installed in ${folder}. Run this there: npm ci\n`
  expect(run(['sh', join(folder, 'petstore'), 'serve'], '/')).toEqual({ code: 1, stdout: '', stderr })
})

test('./petstore serves its own pages in any folder, and leaves no shell in between: a signal to its process drains the service', async () => {
  const output = new Output()
  const child = Bun.spawn([SCRIPT, 'serve', '--port', '0'], {
    cwd: await strangersFolder(),
    env: environmentWith({}),
    stdio: ['ignore', output.file, 'inherit'],
  })
  const { url } = await output.entry(({ event }) => event === 'listening')
  for (const page of [`${url}/`, `${url}/docs`]) {
    const [, script = ''] = /type="module" src="([^"]+)"/.exec(await (await fetch(page)).text()) ?? []
    const code = await (await fetch(new URL(script, page))).text()
    expect([script, code.length > 1000, code.includes('stranger')]).toEqual([script, true, false])
  }
  expect(output.text).toContain(`Create one: ${SCRIPT} keys create`)
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  expect(output.text).toContain('"stopped"')
})
