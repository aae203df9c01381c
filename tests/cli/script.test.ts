import { beforeAll, describe, expect, test } from 'bun:test'
import { chmod, copyFile, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { RELEASE } from '../../src/this-program.ts'
import { environmentWith, eventually, freshFolder, type Variables } from '../support/process.ts'

const SCRIPT = join(import.meta.dir, '../../petstore')

function run(command: readonly string[], cwd: string, variables: Variables = {}) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd, env: environmentWith(variables) })
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

const printsVersion = { code: 0, stdout: `${RELEASE}\n`, stderr: '' }

describe('./petstore', () => {
  let folder: string
  beforeAll(async () => {
    folder = await freshFolder()
  })

  test('runs from any folder, by its path or by a shell', () => {
    expect(run([SCRIPT, '--version'], '/')).toEqual(printsVersion)
    expect(run(['./petstore', '--version'], dirname(SCRIPT))).toEqual(printsVersion)
    expect(run(['sh', 'petstore', '--version'], dirname(SCRIPT))).toEqual(printsVersion)
    expect(run(['sh', 'petstore', '--version'], dirname(SCRIPT), { CDPATH: '/:/tmp' })).toEqual(printsVersion)
  })

  test('runs through symbolic links, absolute and relative, and from PATH', async () => {
    const bin = join(folder, 'a folder', 'bin')
    await mkdir(bin, { recursive: true })
    await symlink(SCRIPT, join(bin, 'absolute'))
    await symlink('bin/absolute', join(folder, 'a folder', 'relative'))
    await symlink('a folder/relative', join(folder, 'pets'))
    expect(run([join(folder, 'pets'), '--version'], '/')).toEqual(printsVersion)
    expect(run(['./pets', '--version'], folder)).toEqual(printsVersion)
    expect(run(['sh', '-c', 'pets --version'], '/', { PATH: `${folder}:${process.env.PATH}` })).toEqual(
      printsVersion,
    )
  })

  test('needs no home folder, and ignores a bunfig.toml of the folder it is called in', async () => {
    const here = join(folder, 'here')
    await Bun.write(join(here, 'bunfig.toml'), 'preload = ["./missing.ts"]\n')
    expect(run([SCRIPT, '--version'], here, { HOME: '/nowhere' })).toEqual(printsVersion)
  })

  test('hands every argument on as it is', () => {
    const { code, stderr } = run([SCRIPT, 'a  b"\'$HOME`*'], '/')
    expect(code).toBe(2)
    expect(stderr).toStartWith(`petstore: Unknown command 'a  b"'$HOME\`*'.`)
  })

  test('says what to do where npm ci was not run', async () => {
    const copy = join(folder, 'not installed', 'petstore')
    await mkdir(dirname(copy))
    await copyFile(SCRIPT, copy)
    await chmod(copy, 0o755)
    expect(run([copy, 'serve'], '/')).toEqual({
      code: 1,
      stdout: '',
      stderr: `petstore: The Bun runtime is not installed in ${dirname(copy)}. Run this there: npm ci\n`,
    })
  })

  test('leaves no shell in between: its process is the service, and a signal drains that', async () => {
    const child = Bun.spawn([SCRIPT, 'serve', '--port', '0'], {
      cwd: folder,
      env: environmentWith({}),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let log = ''
    const decoder = new TextDecoder()
    const reading = (async () => {
      for await (const chunk of child.stdout) log += decoder.decode(chunk, { stream: true })
    })()
    await eventually('it listens', () => log.includes('"listening"') || undefined)
    // Not /proc/…/exe: of a service that disables core dumps, only root can read it.
    if (process.platform === 'linux') expect(await commandOf(child.pid)).toEndWith('bun.exe')
    expect(log).toContain(`Make one: ${SCRIPT} keys create`)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    await reading
    expect(log).toContain('"stopped"')
  })
})

const commandOf = async (pid: number): Promise<string | undefined> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')[0]
