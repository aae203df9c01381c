import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { petJson } from '../support/http/exact.ts'
import { walk } from '../support/http/walk.ts'
import { createKey, petstore } from '../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { startProcess } from '../support/service/service-process.ts'

const pathOf = (url: string): string => url.replace('sqlite:', '')

/** A stopped store with these animals, and a backup of it. */
async function storeWithBackup(...names: string[]): Promise<{ databaseUrl: string; file: string }> {
  const databaseUrl = await freshSqliteUrl()
  const folder = await freshFolder()
  const animals = join(folder, 'animals.ndjson')
  await writeFile(animals, names.map(name => petJson({ name })).join('\n'))
  const file = join(folder, 'backup.db')
  for (const command of [
    ['pets', 'import', animals, '--create', '--yes'],
    ['backup', file],
  ]) {
    const { code, stderr } = await petstore(command, { DATABASE_URL: databaseUrl })
    if (code !== 0) throw new Error(stderr)
  }
  return { databaseUrl, file }
}

const restore = (file: string, databaseUrl: string, ...more: string[]) =>
  petstore(['restore', file, ...more], { DATABASE_URL: databaseUrl })

async function namesIn(databaseUrl: string): Promise<string[]> {
  const service = await startProcess({ databaseUrl })
  const { pets } = await walk(service, '/v1/pets?limit=100')
  await service.stop()
  return pets.map(({ name }) => name)
}

describe('going back to a backup', () => {
  test('gives back the animals, gives out no identifier twice, and keeps what was replaced', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex', 'Mia')
    const after = await startProcess({ databaseUrl })
    const lost = (await after.post(petJson({ name: 'lost' }))).pet
    await after.stop()

    const { code, stdout } = await restore(file, databaseUrl, '--force')
    expect(code).toBe(0)
    const service = await startProcess({ databaseUrl })
    expect((await walk(service, '/v1/pets')).pets.map(({ name }) => name)).toEqual(['Rex', 'Mia'])
    expect((await service.post(petJson({ name: 'new' }))).pet.id).toBe(lost.id + 1n)
    await service.stop()

    const [, kept = ''] = /is kept as (.+)\.\n/.exec(stdout) ?? []
    expect(await namesIn(`sqlite:${kept}`)).toEqual(['Rex', 'Mia', 'lost'])
  })

  test('leaves a key revoked that was revoked after the backup', async () => {
    const databaseUrl = await freshSqliteUrl()
    const key = await createKey(databaseUrl, 'leaked')
    const file = join(await freshFolder(), 'backup.db')
    await petstore(['backup', file], { DATABASE_URL: databaseUrl })
    await petstore(['keys', 'revoke', 'leaked', '--yes'], { DATABASE_URL: databaseUrl })
    const { stdout } = await restore(file, databaseUrl, '--force')
    expect(stdout).toContain('1 API key revoked after the backup stayed revoked.')
    const service = await startProcess({ databaseUrl })
    expect((await service.fetch('/v1/pets', { key })).status).toBe(401)
    await service.stop()
  })

  test('goes on above the identifier that the operator names, where the old database is gone', async () => {
    const { file } = await storeWithBackup('Rex')
    const databaseUrl = await freshSqliteUrl()
    const { stdout } = await restore(file, databaseUrl, '--next-id', '5000')
    expect(stdout).toContain('is unknown')
    const service = await startProcess({ databaseUrl })
    expect((await service.post(petJson({ name: 'next' }))).pet.id).toBe(5000n)
    await service.stop()
  })

  test('works where the database is damaged, which is kept with its log', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    await writeFile(pathOf(databaseUrl), 'no database any more')
    await writeFile(`${pathOf(databaseUrl)}-wal`, 'nor a log')
    expect((await restore(file, databaseUrl)).stderr).toContain('is damaged')
    expect((await restore(file, databaseUrl, '--force')).code).toBe(0)
    expect(await namesIn(databaseUrl)).toEqual(['Rex'])
    const kept = readdirSync(dirname(pathOf(databaseUrl))).filter(name => name.includes('.replaced-'))
    expect(kept.map(name => name.replace(/.*Z/, '')).toSorted()).toEqual(['', '-wal'])
  })

  test('is not mixed with the log of a database that was removed', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    const service = await startProcess({ databaseUrl })
    for (let n = 0; n < 20; n++) await service.post(petJson({ name: `gone ${n}` }))
    await service.kill()
    await rm(pathOf(databaseUrl))
    expect((await restore(file, databaseUrl)).code).toBe(0)
    expect(await namesIn(databaseUrl)).toEqual(['Rex'])
  })
})

test('an empty file is restored to no place, not even to an empty one', async () => {
  const nothing = join(await freshFolder(), 'nothing.db')
  await writeFile(nothing, '')
  const databaseUrl = await freshSqliteUrl()
  expect((await restore(nothing, databaseUrl)).stderr).toContain('is empty: there is no database in it')
  expect(existsSync(pathOf(databaseUrl))).toBe(false)
})

describe('a restore that is refused leaves everything as it is', () => {
  async function refused(
    exit: number,
    file: string,
    databaseUrl: string,
    ...more: string[]
  ): Promise<string> {
    const before = await readFile(pathOf(databaseUrl))
    const { code, stdout, stderr } = await restore(file, databaseUrl, ...more)
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
    expect((await readFile(pathOf(databaseUrl))).equals(before)).toBe(true)
    expect(readdirSync(dirname(pathOf(databaseUrl))).filter(name => /-draft-|-lock/.test(name))).toEqual([])
    return stderr
  }

  test('while a service has the database open, idle or not', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    const service = await startProcess({ databaseUrl })
    expect(await refused(5, file, databaseUrl, '--force')).toContain('has')
    expect(await refused(5, file, databaseUrl, '--force')).toContain('Stop it first')
    expect((await service.post(petJson({ name: 'still served' }))).status).toBe(201)
    expect((await walk(service, '/v1/pets')).pets.map(({ name }) => name)).toEqual(['Rex', 'still served'])
    expect(await service.stop()).toBe(0)
  })

  test('where the database holds animals and --force was not given', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    expect(await refused(2, file, databaseUrl)).toContain('is not empty')
  })

  test('where the database is of the other environment or of another program', async () => {
    const { file } = await storeWithBackup('Rex')
    const staging = await freshSqliteUrl()
    await petstore(['keys', 'create', '--create', '--name', 'x', '--env', 'staging'], {
      DATABASE_URL: staging,
    })
    expect(await refused(1, file, staging, '--force')).toContain('belongs to staging')
    const foreign = await freshSqliteUrl()
    const database = new Database(pathOf(foreign))
    database.run('CREATE TABLE bookmarks (url TEXT)')
    database.close()
    expect(await refused(1, file, foreign, '--force')).toContain('another program')
  })

  test('where the backup is missing, empty, cut short, damaged, of a newer release, or the database itself', async () => {
    const { databaseUrl, file } = await storeWithBackup(
      ...Array.from({ length: 300 }, (_, n) => `animal ${n}`),
    )
    const bad = join(await freshFolder(), 'bad.db')
    expect(await refused(3, bad, databaseUrl, '--force')).toContain('There is no file')
    expect(await refused(2, pathOf(databaseUrl), databaseUrl, '--force')).toContain('the database itself')
    await writeFile(bad, '')
    expect(await refused(1, bad, databaseUrl, '--force')).toContain('is empty: there is no database in it')
    const bytes = await readFile(file)
    await writeFile(bad, bytes)
    await truncate(bad, bytes.length - 1)
    expect(await refused(1, bad, databaseUrl, '--force')).toContain('truncated')
    await writeFile(bad, bytes.fill(0xa5, bytes.length - 4096))
    expect(await refused(1, bad, databaseUrl, '--force')).toMatch(/damaged|malformed/)
    await petstore(['backup', bad, '--force'], { DATABASE_URL: databaseUrl })
    const database = new Database(bad)
    database.run("INSERT INTO migrations VALUES (999, '0999-future', 0)")
    database.close()
    expect(await refused(1, bad, databaseUrl, '--force')).toContain('newer release')
  })
})
