import { expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../support/http/free-port.ts'
import { createKey, petstore } from '../../support/service/cli.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { commandLine, environmentWith } from '../../support/service/process.ts'

/** A selection that covers every way to open a database. */
const COMMANDS = [
  'keys list',
  'backup b.db',
  'restore good.db',
  'copy --from sqlite:good.db --to DATABASE',
  'serve --check',
]
const ONE_SENTENCE = /^petstore: [^\n]*[^.\n]\.\n$/

async function folderWithFiles(): Promise<string> {
  const folder = await freshFolder()
  await writeFile(join(folder, 'file'), 'This is not a folder.\n')
  await mkdir(join(folder, 'folder'))
  symlinkSync('circle.db', join(folder, 'circle.db'))
  await createKey(`sqlite:${join(folder, 'good.db')}`, 'x')
  return folder
}

test.each([
  ['below a file', 'file/animals.db'],
  ['behind links that lead in a circle', 'circle.db'],
])('a database %s is refused in one sentence', async (_what, path) => {
  const folder = await folderWithFiles()
  const PORT = String(await freePort())
  for (const command of COMMANDS) {
    const args = command.replace('DATABASE', `sqlite:${path}`).split(' ')
    const ran = await petstore(args, { DATABASE_URL: `sqlite:${path}`, PORT }, { cwd: folder })
    expect({ command, ...ran }).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(ONE_SENTENCE),
    })
    expect([1, 2]).toContain(ran.code)
    expect(ran.stderr).toContain(path)
  }
})

test('a backup or an export to a path below a file is refused in one sentence', async () => {
  const folder = await folderWithFiles()
  for (const command of [
    ['backup', 'file/b.db'],
    ['pets', 'export', 'file/out.csv'],
  ]) {
    const variables = { DATABASE_URL: 'sqlite:good.db', PETSTORE_API_KEY: 'some-key-0123456789' }
    const ran = await petstore(command, variables, { cwd: folder })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(ONE_SENTENCE) })
  }
})

test('nothing suggests to remove a folder that was named as the database', async () => {
  const folder = await folderWithFiles()
  const { stderr } = await petstore(['keys', 'list'], { DATABASE_URL: 'sqlite:folder' }, { cwd: folder })
  expect(stderr).toContain('is not a file. Name the file of a database.')
  expect(stderr).not.toContain('Remove')
})

test('in a folder that was removed, every command says so and touches no other', async () => {
  const folder = await freshFolder()
  for (const command of ['keys list', 'serve', 'backup b.db', 'doctor --json']) {
    await mkdir(folder, { recursive: true })
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
