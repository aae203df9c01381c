import { expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { petstore } from '../support/service/cli.ts'
import { freshFolder } from '../support/service/folder.ts'
import { commandLine, environmentWith } from '../support/service/process.ts'

test.each([
  ['below a file', 'file/animals.db'],
  ['behind links that lead in a circle', 'circle.db'],
  ['that is a folder', 'folder'],
])('a database %s is refused in one sentence by every command', async (_what, path) => {
  const folder = await freshFolder()
  writeFileSync(join(folder, 'file'), 'This is not a folder.\n')
  mkdirSync(join(folder, 'folder'))
  symlinkSync('circle.db', join(folder, 'circle.db'))
  const commands = [
    'keys list',
    'backup b.db',
    'serve --check --port 0',
    'copy --from sqlite:PATH --to sqlite:b.db',
  ]
  for (const command of commands) {
    const args = command.replace('PATH', path).split(' ')
    const ran = await petstore(args, { DATABASE_URL: `sqlite:${path}` }, { cwd: folder })
    expect({ command, ...ran }).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^(Database of [^\n]+\n)?petstore: [^\n]*[^.\n]\.\n$/),
    })
    expect([1, 2]).toContain(ran.code)
    expect(ran.stderr).toContain(path)
    expect(ran.stderr).not.toContain('Remove')
  }
})

test('in a folder that was removed, every command says so and touches no other', async () => {
  const folder = await freshFolder()
  for (const command of ['keys list', 'serve', 'doctor --json']) {
    mkdirSync(folder, { recursive: true })
    const script = 'cd "$0" && rmdir "$0" && exec "$@"'
    const ran = Bun.spawnSync(['sh', '-c', script, folder, ...commandLine(...command.split(' '))], {
      env: environmentWith({}),
    })
    expect({ command, stderr: ran.stderr.toString(), code: ran.exitCode }).toEqual({
      command,
      stderr: 'petstore: The current folder was removed. Change to another one.\n',
      code: 3,
    })
  }
})
