import { describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { petstore } from '../../support/service/cli.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { commandLine, environmentWith } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'

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

test('what the service stores can be read by its owner only, whatever the umask', async () => {
  const folder = await freshFolder()
  const databaseUrl = `sqlite:${join(folder, 'new', 'data', 'animals.db')}`
  const service = await startProcess({
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
  // The database, its log and its index, three copies, an export and a backup, in the folders named above.
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

describe('root in a folder of another user', () => {
  // Only root can create a file that another user cannot open.
  const { test } = needs('root')

  test('makes, serves and restores what that user can use', async () => {
    const folder = await freshFolder()
    // Lets the user reach the folder.
    if (tmpdir() !== '/tmp') chmodSync(tmpdir(), 0o711)
    chownSync(folder, NOBODY, NOBODY)
    const data = join(folder, 'data')
    const databaseUrl = `sqlite:${join(data, 'production.db')}`
    const variables = { DATABASE_URL: databaseUrl }
    const service = await startProcess({ databaseUrl, variables: { PETSTORE_BACKUP_EVERY: '1h' } })
    expect((await service.post(petJson({ name: 'Rex' }))).status).toBe(201)
    await service.output.entry(({ event }) => event === 'backup-made')
    expect(ownersBelow(folder)).toEqual([NOBODY])
    await service.stop()
    const backup = join(await freshFolder(), 'b.db')
    expect((await petstore(['backup', backup], variables)).stderr).toBe('')
    expect(statSync(backup).uid).toBe(0)
    expect((await petstore(['restore', backup, '--force'], variables)).stderr).toBe('')
    expect((await petstore(['pets', 'export', join(folder, 'all.csv')], variables)).code).toBe(0)
    expect(ownersBelow(folder)).toEqual([NOBODY])
  })

  test('that is out of reach of that user works as root', async () => {
    const closed = await freshFolder()
    const data = join(closed, 'data')
    mkdirSync(data)
    chownSync(data, NOBODY, NOBODY)
    const { code } = await petstore(['keys', 'create', '--create', '--name', 'first'], {
      DATABASE_URL: `sqlite:${join(data, 'animals.db')}`,
    })
    expect(code).toBe(0)
  })
})

const ownersBelow = (folder: string): number[] => [
  ...new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => statSync(join(folder, name)).uid),
  ),
]
