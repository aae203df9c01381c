import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from '../../../scripts/build/build.ts'
import { EXIT_CODES } from '../../../src/operator-error.ts'
import { CLIENT_FILE } from '../../../src/pages/built.ts'
import { RELEASE } from '../../../src/release.ts'
import { machine, ROOT, read } from '../../operate/machine.ts'
import { API_KEY, petJson } from '../../support/http.ts'
import { freshFolder, Output, petstore } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { startProcess } from '../../support/service.ts'
import { programBelow } from '../faults/support/system.ts'

const UNITS = ['petstore.service', 'petstore-backup.service', 'petstore-backup.timer']
const BACKUP = /^animals-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/

const analyze = (...args: string[]) => spawnSync(program('systemd-analyze'), args, { encoding: 'utf8' })

const withSystemd = needs('systemd-analyze').test

withSystemd('systemd understands every line of the units', async () => {
  const folder = await freshFolder()
  for (const unit of UNITS) {
    const text = read(`deploy/${unit}`).replaceAll('/usr/local/bin/petstore', '/bin/true')
    await writeFile(join(folder, unit), text.replace('User=petstore', 'User=root'))
  }
  // What comes last takes precedence, as in a drop-in.
  const staging = `${read('deploy/petstore.service')}${read('deploy/petstore-staging.conf')}`
  await writeFile(
    join(folder, 'petstore-staging.service'),
    staging.replaceAll('/usr/local/bin/petstore', '/bin/true').replaceAll(/User=petstore.*/g, 'User=root'),
  )
  // Patroni's own unit is Debian's; only the lines added to it are ours.
  const added = read('deploy/patroni/patroni.service.conf').replace(/^ExecStartPre=.*softdog$/m, '')
  await writeFile(join(folder, 'petstore-patroni.service'), `${added}\nExecStart=/bin/true\n`)
  const files = [...UNITS, 'petstore-staging.service', 'petstore-patroni.service'].map(unit =>
    join(folder, unit),
  )
  const { stdout, stderr } = analyze('verify', ...files)
  expect(stdout + stderr).not.toContain('petstore')
})

withSystemd.each(['petstore.service', 'petstore-backup.service'])(
  'systemd finds little to hold against %s: exposure at most 1.5 of 10',
  unit => {
    const file = join(ROOT, 'deploy', unit)
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=15', '--no-pager', file)
    expect(stdout).toMatch(/Overall exposure level for petstore\S*: [01]\.\d (OK|SAFE)/)
    expect(status).toBe(0)
  },
)

needs('python3').test('the unit for Patroni refuses versions before 3.0.3', async () => {
  const folder = await freshFolder()
  await mkdir(join(folder, 'patroni'))
  // Without it, an installed package comes first.
  await writeFile(join(folder, 'patroni/__init__.py'), '')
  const unit = read('deploy/patroni/patroni.service.conf')
  const command = /^ExecStartPre=(\/usr\/bin\/python3 .+)$/m.exec(unit)?.[1] ?? ''
  const refused = (version: string) =>
    `Patroni ${version} can lose acknowledged animals. Install 3.0.3 or later.\n`
  // Two versions of a second would be one for Python, which goes by the time of a file.
  const env = { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' }
  for (const version of ['2.1.7', '3.0.2', '3.0.3', '4.0.0']) {
    await writeFile(join(folder, 'patroni/version.py'), `__version__ = '${version}'\n`)
    const ran = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' })
    expect([ran.status, ran.stderr]).toEqual(version < '3.0.3' ? [1, refused(version)] : [0, ''])
  }
})

test('the unit goes on trying while its database cannot be reached, but not with a wrong setting or a missing file', async () => {
  const lines = read('deploy/petstore.service').split('\n')
  const { invalid, missing, refused } = EXIT_CODES
  for (const line of ['StartLimitIntervalSec=0', 'Restart=always', 'Type=notify'])
    expect(lines).toContain(line)
  expect(lines).toContain(`RestartPreventExitStatus=${invalid.code} ${missing.code} ${refused.code}`)
})

needs('mounting').test('nor does it give up if DNS cannot resolve its host name yet', async () => {
  const ran = await petstore(['serve'], { HOST: 'a.test' }, { within: ['unshare', '--net'] })
  expect(ran).toMatchObject({ code: EXIT_CODES.unavailable.code, stdout: '' })
  expect(ran.stderr).toStartWith('petstore: The host a.test cannot be resolved (EAI_AGAIN).')
})

// A new PID namespace needs its own /proc.
needs('mounting').test('SIGTERM ends process 1 of a container too', async () => {
  const service = await startProcess({ within: ['unshare', '--pid', '--fork', '--mount-proc'] })
  const child = programBelow(service.process.pid)
  expect(await Bun.file(`/proc/${child}/status`).text()).toMatch(/^NSpid:\s+\d+\s+1$/m)
  process.kill(child, 'SIGTERM')
  expect(await service.exited()).toBe(0)
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped' })
})

test('the backup unit makes a backup named after the time, keeps 28, and removes drafts, even if each one fails', async () => {
  const { folder, settings, run } = await machine()
  await writeFile(settings, '')
  const backups = join(folder, 'backups')
  const listed = async () => (await readdir(backups)).toSorted()
  await mkdir(backups)
  const unit = read('deploy/petstore-backup.service')
  /** As systemd does it: the first line that fails is the last, unless it begins with a dash. */
  const backUp = (): boolean =>
    [...unit.matchAll(/^ExecStart(?:Pre|Post)?=(-?)(.+)$/gm)].every(
      ([, dash, line = '']) => run(line).status === 0 || dash === '-',
    )
  expect(backUp()).toBe(false)
  expect(await listed()).toEqual([])
  expect(run('petstore keys create --create --name first').status).toBe(0)
  const old = Array.from({ length: 40 }, (_, n) => `animals-2026-01-01T00-00-${n + 10}Z.db`)
  // The words of a name are not files of their own, and none of them stops the backup.
  const others = ['animals-2025 petstore Z.db', "animals-2025-mom'sZ.db", 'animals-before-2026Z.db']
  for (const name of [...old, ...others]) await writeFile(join(backups, name), '')
  await mkdir(join(backups, `${old[39]}-draft-x7Kq2p`))
  expect(backUp()).toBe(true)
  const found = await listed()
  expect(found.filter(name => others.includes(name))).toEqual(others)
  expect(found.filter(name => !others.includes(name))).toEqual([
    ...old.slice(-27),
    expect.stringMatching(BACKUP),
  ])
  await rm(join(folder, 'data'), { recursive: true })
  expect(backUp()).toBe(false)
  expect((await listed()).filter(name => BACKUP.test(name))).toHaveLength(27)
})

test('the executable is built from what the Containerfile copies, needs nothing beside it, serves API and pages, and can be replaced while it runs; its image runs it as an ordinary user', async () => {
  const lines = read('deploy/Containerfile').split('\n')
  const secondStage = lines.findLastIndex(line => line.startsWith('FROM '))
  const of = (instruction: string, stage: readonly string[]): string[] =>
    stage.filter(line => line.startsWith(`${instruction} `)).map(line => line.slice(instruction.length + 1))
  const image = lines.slice(secondStage)
  expect([of('USER', image), of('RUN', image)]).toEqual([['nonroot'], []])
  const sources = await freshFolder()
  for (const copied of of('COPY', lines.slice(0, secondStage))) {
    const words = copied.split(' ')
    const target = join(sources, words.pop() ?? '')
    for (const word of words)
      await cp(join(ROOT, word), word.endsWith('/') ? target : join(target, word), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(sources, 'node_modules'))
  const env = { ...process.env, COMMIT: 'abc1234' }
  const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: sources, encoding: 'utf8', env })
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })

  const folder = await freshFolder()
  const binary = join(folder, 'petstore')
  await rename(join(sources, 'dist/petstore'), binary)
  const version = spawnSync(binary, ['--version'], { env: {}, encoding: 'utf8' })
  expect(version.stdout).toBe(`${RELEASE} (abc1234)\n`)
  const [output, errors] = [new Output(), new Output()]
  const serve = Bun.spawn([binary, 'serve', '--port', '0'], {
    cwd: folder,
    env: { PATH: '', HOME: folder, PETSTORE_SERVER_API_KEY: API_KEY },
    stdio: ['ignore', output.file, errors.file],
  })
  const { url } = await output.entry(({ event }) => event === 'listening')
  const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
  const body = petJson({ categoryId: 2n ** 53n + 1n })
  const added = await fetch(`${url}/v1/pets`, { method: 'POST', headers, body })
  expect([added.status, await added.text()]).toEqual([201, expect.stringContaining('9007199254740993')])
  for (const page of ['/', '/docs']) {
    const text = await (await fetch(`${url}${page}`)).text()
    const [, script = ''] = /src="([^"]+\.js)"/.exec(text) ?? []
    expect((await fetch(new URL(script, `${url}/`))).status).toBe(200)
  }
  const client = await (await fetch(`${url}/client.tgz`)).bytes()
  expect(Buffer.from(client)).toEqual(Buffer.from(await Bun.file(CLIENT_FILE).bytes()))
  await build(binary)
  serve.kill('SIGTERM')
  expect([await serve.exited, errors.text]).toEqual([0, ''])
})
