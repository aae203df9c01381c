import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { petJson } from '../support/http/exact.ts'
import { walk } from '../support/http/walk.ts'
import { Load } from '../support/load/load.ts'
import { petstore } from '../support/service/cli.ts'
import { makeEmptyStore } from '../support/service/empty-store.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { commandLine, environmentWith, eventually } from '../support/service/process.ts'
import { startService } from '../support/service/service.ts'

describe('a backup of a service at work', () => {
  test('holds every animal that was acknowledged before it began, and is one moment of the store', async () => {
    const databaseUrl = await freshSqliteUrl()
    const service = await startService({ databaseUrl })
    const load = new Load(() => service.url)
    await eventually('animals are added', () => load.acknowledged.size > 20 || undefined)
    const acknowledged = [...load.acknowledged.values()]
    const file = join(await freshFolder(), 'backup.db')
    const made = await petstore(['backup', file], { DATABASE_URL: databaseUrl })
    await load.stop()
    expect(made.stderr).toBe('')
    expect(made.stdout).toMatch(/^Backed up \d+ animals and 0 API keys of production to .*, verified\)\.\n$/)
    expect({ unexpected: load.unexpected, unavailable: load.unavailable, foreign: load.foreign }).toEqual({
      unexpected: [],
      unavailable: 0,
      foreign: [],
    })

    const elsewhere = await freshSqliteUrl()
    expect((await petstore(['restore', file], { DATABASE_URL: elsewhere })).code).toBe(0)
    const restored = await startService({ databaseUrl: elsewhere })
    const animals = (await walk(restored, '/v1/pets?limit=100')).pets
    const known = new Map(animals.map(pet => [pet.id, pet]))
    for (const pet of acknowledged) expect(known.get(pet.id)).toEqual(pet)
    const original = (await walk(service, '/v1/pets?limit=100')).pets
    expect(animals).toEqual(original.slice(0, animals.length))
    await Promise.all([service.stop(), restored.stop()])
  })

  test('is one file that only its owner may read, with nothing left beside it', async () => {
    const databaseUrl = await freshSqliteUrl()
    const service = await startService({ databaseUrl })
    const folder = await freshFolder()
    await petstore(['backup', join(folder, 'backup.db')], { DATABASE_URL: databaseUrl })
    expect(readdirSync(folder)).toEqual(['backup.db'])
    expect(statSync(join(folder, 'backup.db')).mode & 0o777).toBe(0o600)
    await service.stop()
  })
})

describe('a backup never takes the place of something else', () => {
  const failing = async (exit: number, file: string, databaseUrl: string, ...more: string[]) => {
    const { code, stdout, stderr } = await petstore(['backup', file, ...more], { DATABASE_URL: databaseUrl })
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
    return stderr
  }

  test('a file that is there is replaced only by force', async () => {
    const databaseUrl = await freshSqliteUrl()
    await makeEmptyStore(databaseUrl)
    const file = join(await freshFolder(), 'mine')
    await writeFile(file, 'mine')
    expect(await failing(2, file, databaseUrl)).toContain('already exists')
    expect(await Bun.file(file).text()).toBe('mine')
    expect((await petstore(['backup', file, '--force'], { DATABASE_URL: databaseUrl })).code).toBe(0)
    expect(await Bun.file(file).text()).toStartWith('SQLite format 3')
  })

  test('the database itself is not replaced, not even by force', async () => {
    const databaseUrl = await freshSqliteUrl()
    const service = await startService({ databaseUrl })
    const { pet } = await service.post(petJson({ name: 'safe' }))
    const path = databaseUrl.replace('sqlite:', '')
    for (const part of ['', '-wal', '-shm', '-journal', '-lock'])
      expect(await failing(2, path + part, databaseUrl, '--force')).toContain('is the database itself')
    expect((await service.fetch(`/v1/pets/${pet.id}`)).pet).toEqual(pet)
    expect(await service.stop()).toBe(0)
  })

  test('a folder, or a folder that is not there, is refused', async () => {
    const databaseUrl = await freshSqliteUrl()
    await makeEmptyStore(databaseUrl)
    const folder = await freshFolder()
    expect(await failing(2, folder, databaseUrl)).toContain('is not a file')
    expect(await failing(3, join(folder, 'no', 'backup.db'), databaseUrl)).toContain('does not exist')
  })

  test('a database that does not exist is not made by backing it up', async () => {
    const databaseUrl = await freshSqliteUrl()
    expect(await failing(3, join(await freshFolder(), 'b.db'), databaseUrl)).toContain('There is no database')
    expect(existsSync(databaseUrl.replace('sqlite:', ''))).toBe(false)
  })

  test('a disk that is full leaves no file behind', async () => {
    const databaseUrl = await freshSqliteUrl()
    await makeEmptyStore(databaseUrl)
    const path = databaseUrl.replace('sqlite:', '')
    const database = new Database(path)
    database.run(`INSERT INTO pets (name, category_id, status)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) SELECT 'animal', i, 'sold' FROM n`)
    database.close()
    const file = join(dirname(path), 'b.db')
    const limited = [
      'sh',
      '-c',
      'ulimit -f 256; trap "" XFSZ; exec "$@"',
      'sh',
      ...commandLine('backup', file),
    ]
    const child = Bun.spawn(limited, {
      env: environmentWith({ DATABASE_URL: databaseUrl }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(await child.exited).toBe(1)
    expect(await child.stderr.text()).toContain('Nothing was left behind')
    expect(readdirSync(dirname(file)).filter(name => name.startsWith('b.db'))).toEqual([])
  })
})

test('with PostgreSQL both commands say in one sentence what to use instead', async () => {
  const variables = { DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' }
  expect((await petstore(['backup', 'x.db'], variables)).stderr).toMatch(
    /^petstore: [^\n]*pg_dump[^\n]*\.\n$/,
  )
  expect((await petstore(['restore', 'x.db'], variables)).stderr).toMatch(
    /^petstore: [^\n]*pg_restore[^\n]*\.\n$/,
  )
  const scheduled = await petstore(['serve'], { ...variables, PETSTORE_BACKUP_EVERY: '6h' })
  expect(scheduled.stderr).toMatch(/^petstore: PETSTORE_BACKUP_EVERY [^\n]*is for SQLite[^\n]*\.\n$/)
})
