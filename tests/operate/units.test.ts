import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { machine, read } from './machine.ts'

const startOf = (unit: string): string =>
  (/^ExecStart=(.+)$/m.exec(read(`deploy/${unit}.service`))?.[1] ?? '').replaceAll('%N', unit)

test('the units and petstore-admin read the settings as every command does: a mistake or a missing file stops them', async () => {
  const { settings, run } = await machine()
  const commands = [startOf('petstore'), startOf('petstore-backup'), 'petstore-admin keys list']
  for (const [text, status, stderr] of [
    [undefined, 3, 'petstore: The settings file /etc/petstore.env cannot be read: '],
    ['DATABSE_URL=sqlite:a.db\n', 2, 'petstore: /etc/petstore.env, line 1: there is no setting DATABSE_URL.'],
  ] as const) {
    if (text !== undefined) writeFileSync(settings, text)
    for (const command of commands)
      expect([command, run(command)]).toEqual([command, { status, stderr: expect.stringContaining(stderr) }])
  }
  // Nor do they begin a new store where the old one was moved away.
  writeFileSync(settings, 'PORT=0\n')
  const missing = { status: 3, stderr: expect.stringContaining('There is no database at') }
  for (const command of commands) expect([command, run(command)]).toEqual([command, missing])
  expect(read('deploy/Containerfile')).toContain('CMD ["serve", "--existing"]')
})

test('the commands of install.md that create the settings keep those that exist', async () => {
  const { settings, run } = await machine()
  const page = read('docs/install.md')
  const lines = (name: string) =>
    page.match(new RegExp(`^.*/etc/${name}\\.env.*$`, 'gm'))?.filter(line => !line.includes('`')) ?? []
  const [production, staging] = [lines('petstore'), lines('petstore-staging')]
  expect([production.length, staging.length]).toEqual([3, 4])
  expect(run(production.join('\n')).status).toBe(0)
  expect(readFileSync(settings, 'utf8')).toBe('')
  const own = settings.replace('petstore.env', 'petstore-staging.env')
  expect(run(staging.join('\n')).status).toBe(0)
  expect(readFileSync(own, 'utf8')).toBe('PETSTORE_ENV=staging\nPORT=8081\n')
  for (const file of [settings, own]) writeFileSync(file, 'PORT=9000\n')
  expect(run([...production, ...staging].join('\n')).status).toBe(0)
  for (const file of [settings, own]) expect(readFileSync(file, 'utf8')).toBe('PORT=9000\n')
})
