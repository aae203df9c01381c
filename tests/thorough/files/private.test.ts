import { expect, test } from 'bun:test'
import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { petJson } from '../../support/http.ts'
import { commandLine, environmentWith, freshFolder, freshSqliteUrl, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { makeStore, startProcess } from '../../support/service.ts'

const NOBODY = 65534
/** A umask that leaves every permission to the program. */
const GENEROUS = ['sh', '-c', 'umask 000; exec "$@"', 'sh']

async function generously(args: string[], databaseUrl: string): Promise<string> {
  const child = Bun.spawn([...GENEROUS, ...commandLine(...args)], {
    env: environmentWith({ DATABASE_URL: databaseUrl }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return (await child.exited) === 0 ? '' : child.stderr.text()
}

/** The type and permissions of every file and folder below this one. */
const rightsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => {
    const found = statSync(join(folder, name))
    return `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`
  })

test('what the service and the commands store can be read by its owner only, whatever the umask', async () => {
  const folder = await freshFolder()
  const databaseUrl = `sqlite:${join(folder, 'new', 'data', 'animals.db')}`
  const service = await startProcess({ databaseUrl, within: GENEROUS })
  await service.post(petJson({ name: 'Rex' }))
  for (const args of [
    ['backup', join(folder, 'new', 'b.db')],
    ['copy', '--from', databaseUrl, '--to', `sqlite:${join(folder, 'moved', 'animals.db')}`],
  ])
    expect(await generously(args, databaseUrl)).toBe('')
  const restored = `sqlite:${join(folder, 'restored', 'animals.db')}`
  expect(await generously(['restore', join(folder, 'new', 'b.db')], restored)).toBe('')
  const rights = rightsBelow(folder)
  expect([...new Set(rights)].toSorted()).toEqual(['file 600', 'folder 700'])
  // The database with its log and index, a backup, a copy and a restored database.
  expect(rights.filter(each => each.startsWith('file')).length).toBeGreaterThanOrEqual(6)
  await service.stop()
})

needs('root').test(
  'root is sent away from the folder of another user, and leaves nothing in it',
  async () => {
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
  },
)
