import { expect, test } from 'bun:test'
import { chmodSync, chownSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { petstore } from '../support/cli.ts'
import { petJson } from '../support/exact.ts'
import { freshFolder } from '../support/folder.ts'
import { commandLine, environmentWith } from '../support/process.ts'
import { needs } from '../support/programs/needs.ts'
import { startService } from '../support/service.ts'

const NOBODY = 65534
/** Everything is allowed that a program does not forbid itself. */
const GENEROUS = ['sh', '-c', 'umask 000; exec "$@"', 'sh']

async function generously(args: string[], databaseUrl: string): Promise<string> {
  const child = Bun.spawn([...GENEROUS, ...commandLine(...args)], {
    env: environmentWith({ DATABASE_URL: databaseUrl }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return (await child.exited) === 0 ? '' : child.stderr.text()
}

/** Every file and folder below one, by its rights. */
const rightsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => {
    const found = statSync(join(folder, name))
    return `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`
  })

test('what the service stores can be read by its owner only, whatever the umask', async () => {
  const folder = await freshFolder()
  const databaseUrl = `sqlite:${join(folder, 'new', 'data', 'animals.db')}`
  const service = await startService({
    databaseUrl,
    variables: { PETSTORE_BACKUP_EVERY: '1h', PETSTORE_BACKUP_DIR: join(folder, 'copies', 'of', 'it') },
    within: GENEROUS,
  })
  await service.post(petJson({ name: 'Rex' }))
  await service.output.entry(({ event }) => event === 'backup-made')
  for (const args of [
    ['backup', join(folder, 'new', 'b.db')],
    ['pets', 'export', join(folder, 'new', 'all.csv')],
    ['copy', '--from', databaseUrl, '--to', `sqlite:${join(folder, 'moved', 'animals.db')}`],
  ])
    expect(await generously(args, databaseUrl)).toBe('')
  const restored = `sqlite:${join(folder, 'restored', 'animals.db')}`
  expect(await generously(['restore', join(folder, 'new', 'b.db')], restored)).toBe('')

  const rights = rightsBelow(folder)
  expect([...new Set(rights)].toSorted()).toEqual(['file 600', 'folder 700'])
  // The database, its log and its index, three copies, an export and a backup; the folders named above.
  expect(rights.filter(each => each.startsWith('file')).length).toBeGreaterThanOrEqual(8)
  await service.stop()
})

test('a database that a link to nowhere names is made private where the link leads', async () => {
  const folder = await freshFolder()
  symlinkSync(join(folder, 'elsewhere.db'), join(folder, 'animals.db'))
  expect(
    await generously(['keys', 'create', '--create', '--name', 'x'], `sqlite:${join(folder, 'animals.db')}`),
  ).toBe('')
  expect(statSync(join(folder, 'elsewhere.db')).mode & 0o777).toBe(0o600)
})

// Only root can make a file that another user cannot open.
needs('root').test(
  'what root makes or restores in the place of a service belongs to the user of that service',
  async () => {
    const folder = await freshFolder()
    // The user of the service can get there, as it could if it ran.
    if (tmpdir() !== '/tmp') chmodSync(tmpdir(), 0o711)
    chownSync(folder, NOBODY, NOBODY)
    const path = join(folder, 'data', 'production.db')
    const variables = { DATABASE_URL: `sqlite:${path}` }
    await petstore(['keys', 'create', '--create', '--name', 'first'], variables)
    const backup = join(await freshFolder(), 'b.db')
    await petstore(['backup', backup], variables)
    for (const flags of [[], ['--force']]) {
      for (const made of [join(folder, 'data'), path])
        expect([made, statSync(made).uid]).toEqual([made, NOBODY])
      expect((await petstore(['restore', backup, ...flags], variables)).stderr).toMatch(
        /^(petstore: .*not empty.*\n)?$/,
      )
    }
    expect(statSync(path).uid).toBe(NOBODY)
    expect(statSync(backup).uid).toBe(0)
  },
)
