import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { EXIT_CODES } from '../../../src/operator-error.ts'
import { RELEASE } from '../../../src/this-program.ts'
import { freshFolder } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'

const ROOT = join(import.meta.dir, '../../..')
const UNITS = ['petstore.service', 'petstore-backup.service', 'petstore-backup.timer']
const BACKUP = /^animals-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/

const read = (file: string): Promise<string> => Bun.file(join(ROOT, file)).text()
const analyze = (...args: string[]) => spawnSync(program('systemd-analyze'), args, { encoding: 'utf8' })

const withSystemd = needs('systemd-analyze').test

withSystemd('systemd understands every line of the units', async () => {
  const folder = await freshFolder()
  for (const unit of UNITS) {
    const text = (await read(`deploy/${unit}`)).replaceAll('/usr/local/bin/petstore', '/bin/true')
    await writeFile(join(folder, unit), text.replace('User=petstore', 'User=root'))
  }
  const { stdout, stderr } = analyze('verify', ...UNITS.map(unit => join(folder, unit)))
  expect(stdout + stderr).not.toContain('petstore')
})

withSystemd('systemd finds little to hold against the unit: exposure at most 1.5 of 10', () => {
  const unit = join(ROOT, 'deploy/petstore.service')
  const { status, stdout } = analyze('security', '--offline=true', '--threshold=15', '--no-pager', unit)
  expect(stdout).toMatch(/Overall exposure level for petstore\.service: 1\.\d OK/)
  expect(status).toBe(0)
})

test('the unit goes on trying while its database cannot be reached, but not with a wrong setting or a missing file', async () => {
  const lines = (await read('deploy/petstore.service')).split('\n')
  const { invalid, missing } = EXIT_CODES
  for (const line of ['StartLimitIntervalSec=0', 'Restart=on-failure', 'Type=notify'])
    expect(lines).toContain(line)
  expect(lines).toContain(`RestartPreventExitStatus=${invalid.code} ${missing.code}`)
})

test('the backup unit makes a backup named after the time, and removes those older than 28 days', async () => {
  const folder = await freshFolder()
  await mkdir(join(folder, 'backups'))
  const script = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'src/main.ts')}' "$@"\n`
  await writeFile(join(folder, 'petstore'), script, { mode: 0o755 })
  const unit = await read('deploy/petstore-backup.service')
  for (const line of [
    'petstore keys create --create --name first',
    'touch -d "29 days ago" backups/animals-old.db; touch backups/other-file',
    ...[...unit.matchAll(/^ExecStart(?:Post)?=(.+)$/gm)].map(([, line = '']) => line.replaceAll('%%', '%')),
  ]) {
    const here = line
      .replaceAll('/var/lib/petstore', folder)
      .replaceAll('/usr/local/bin/petstore', 'petstore')
    const env = { PATH: `${folder}:${process.env.PATH}` }
    const { status, stderr } = spawnSync('sh', ['-c', here], { cwd: folder, env, encoding: 'utf8' })
    expect({ line, status, text: status === 0 ? '' : stderr }).toEqual({ line, status: 0, text: '' })
  }
  const left = (await readdir(join(folder, 'backups'))).toSorted()
  expect(left).toEqual([expect.stringMatching(BACKUP), 'other-file'])
})

test('what the Containerfile copies is enough to build the executable, and its image runs it as an ordinary user', async () => {
  const lines = (await read('deploy/Containerfile')).split('\n')
  const secondStage = lines.findLastIndex(line => line.startsWith('FROM '))
  const [first, image] = [lines.slice(0, secondStage), lines.slice(secondStage)]
  const of = (instruction: string, stage: readonly string[]): string[] =>
    stage.filter(line => line.startsWith(`${instruction} `)).map(line => line.slice(instruction.length + 1))
  expect(of('USER', image)).toEqual(['nonroot'])
  expect(of('RUN', image)).toEqual([])
  const folder = await freshFolder()
  for (const copied of of('COPY', first)) {
    const sources = copied.split(' ')
    const target = join(folder, sources.pop() ?? '')
    for (const source of sources) {
      const to = source.endsWith('/') ? target : join(target, basename(source))
      await mkdir(dirname(to), { recursive: true })
      await cp(join(ROOT, source), to, { recursive: true })
    }
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  expect(of('RUN', first).some(step => step.startsWith('npm run build'))).toBe(true)
  const { status, stderr } = spawnSync('npm', ['run', 'build'], { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  const version = spawnSync(join(folder, 'dist/petstore'), ['--version'], { env: {}, encoding: 'utf8' })
  expect(version.stdout).toBe(`${RELEASE}\n`)
})
