import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from '../../support/programs/needs.ts'

const ROOT = join(import.meta.dir, '../../..')
const read = (file: string): Promise<string> => Bun.file(join(ROOT, file)).text()

/** The folder of a service with a database, and the program by its name. */
async function folderOfService(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-timer-'))
  await mkdir(join(folder, 'backups'))
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'src/main.ts')}' "$@"\n`
  await writeFile(join(folder, 'petstore'), program, { mode: 0o755 })
  await run(folder, `${folder}/petstore keys create --create --name first`)
  return folder
}

async function run(folder: string, line: string): Promise<void> {
  const env = { PATH: `${folder}:${process.env.PATH}` }
  const child = Bun.spawn(['sh', '-c', line], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [text, code] = await Promise.all([child.stderr.text(), child.exited])
  expect({ line, code, text: code === 0 ? '' : text }).toEqual({ line, code: 0, text: '' })
}

const NAMED = /^animals-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db$/

test('the backup unit makes a backup named after the time, and removes those older than 28 days', async () => {
  const folder = await folderOfService()
  await run(folder, 'touch -d "29 days ago" backups/animals-old.db; touch backups/other-file')
  const unit = await read('deploy/petstore-backup.service')
  for (const [, line = ''] of unit.matchAll(/^ExecStart(?:Post)?=(.+)$/gm)) {
    const here = line
      .replaceAll('/var/lib/petstore', folder)
      .replaceAll('/usr/local/bin/petstore', 'petstore')
    await run(folder, here.replaceAll('%%', '%'))
  }
  const [backup, other, ...rest] = (await readdir(join(folder, 'backups'))).toSorted()
  expect(backup).toMatch(NAMED)
  expect([other, ...rest]).toEqual(['other-file'])
})

test('the cron line in docs/backups.md makes a backup', async () => {
  const folder = await folderOfService()
  const [, line = ''] = /^[\d*/ ]+ petstore (cd .+)$/m.exec(await read('docs/backups.md')) ?? []
  await run(folder, line.replaceAll('/var/lib/petstore', folder).replaceAll('\\%', '%'))
  expect(await readdir(join(folder, 'backups'))).toEqual([expect.stringMatching(NAMED)])
})

needs('systemd-analyze').test('systemd understands every line of the backup unit and its timer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-units-'))
  const units = ['petstore-backup.service', 'petstore-backup.timer'].map(unit => join(folder, unit))
  for (const unit of units)
    await writeFile(unit, (await read(unit.replace(folder, 'deploy'))).replace('User=petstore', 'User=root'))
  const { stdout, stderr } = Bun.spawnSync(['systemd-analyze', 'verify', ...units])
  expect(stdout.toString() + stderr.toString()).not.toContain('petstore-backup')
})
