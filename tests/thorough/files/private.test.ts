import { expect } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { makeStore } from '../../support/store.ts'

const NOBODY = 65534

needs('root').test('root is sent away from the folder of another user', async () => {
  const folder = await freshFolder()
  const data = join(folder, 'data')
  mkdirSync(data)
  chownSync(data, NOBODY, NOBODY)
  const theirs = { DATABASE_URL: `sqlite:${join(data, 'new', 'animals.db')}` }
  const ours = { DATABASE_URL: await freshSqliteUrl() }
  await makeStore(ours.DATABASE_URL, ['Rex'])
  for (const [args, variables] of [
    [['serve', '--port', '0'], theirs],
    [['keys', 'create', '--create', '--name', 'x'], theirs],
    [['backup', join(data, 'b.db')], ours],
  ] as const) {
    const { code, stderr } = await petstore([...args], variables)
    expect(`${code} ${stderr}`).toMatch(
      /^2 (?:.*\n)?petstore: The folder \S+ belongs to user 65534\. Run this as that user\.\n$/,
    )
  }
  expect(readdirSync(data)).toEqual([])
})

needs('root', 'setpriv').test.each<[what: string, mode: number, path: string, command: string]>([
  ['a folder that it cannot look into', 0o700, '', 'keys list'],
  ['the settings of such a folder', 0o700, '', 'keys list --database-url sqlite:/nowhere.db'],
  ['a folder that it cannot write to', 0o755, 'animals.db', 'serve --check'],
  ['a folder in which it cannot create another', 0o755, 'new/animals.db', 'serve'],
  ['a file that it cannot write to', 0o777, 'animals.db', 'keys list'],
])('an ordinary user is told what to do with %s', async (_what, mode, path, command) => {
  const cwd = await freshFolder()
  const file = join(cwd, 'animals.db')
  await makeStore(`sqlite:${file}`, [])
  chownSync(file, mode === 0o777 ? 0 : NOBODY, 0)
  chmodSync(cwd, mode)
  const within = ['setpriv', `--reuid=${NOBODY}`, '--clear-groups']
  const ran = await petstore(command.split(' '), { DATABASE_URL: `sqlite:${path}` }, { cwd, within })
  const remedy =
    /: \S+ is closed to this user, or a folder above it is\. Run this as its owner, or change its owner or mode \(EACCES\)\./
  expect([ran.stdout, ran.stderr]).toEqual(['', expect.stringMatching(remedy)])
})

needs('root').test("another user's settings file is refused, through a symbolic link too", async () => {
  const [folder, linking] = [await freshFolder(), await freshFolder()]
  const file = join(folder, 'petstore.env')
  writeFileSync(file, 'PETSTORE_BASE_URL=http://127.0.0.1:1/v1\n')
  symlinkSync(file, join(linking, 'petstore.env'))
  chownSync(file, NOBODY, NOBODY)
  const stderr =
    'petstore: The settings file petstore.env belongs to user 65534. Change to another folder, or choose another file with --env-file.\n'
  for (const cwd of [folder, linking])
    expect(await petstore(['pets', 'list'], {}, { cwd })).toEqual({ code: 2, stdout: '', stderr })
})
