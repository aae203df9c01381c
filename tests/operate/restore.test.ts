import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { petJson, walk } from '../support/http.ts'
import { createKey, freshFolder, freshSqliteUrl, pathOf, petstore } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { atStatement } from '../support/statements.ts'
import { engineAt, makeStore } from '../support/store.ts'

/** A stopped store with these animals, and a backup of it. */
async function storeWithBackup(...names: string[]): Promise<{ databaseUrl: string; file: string }> {
  const databaseUrl = await freshSqliteUrl()
  const file = join(await freshFolder(), 'backup.db')
  await makeStore(databaseUrl, names)
  await engineAt(databaseUrl).backUp({ file, force: false })
  return { databaseUrl, file }
}

const restore = (
  file: string,
  databaseUrl: string,
  { force = false, nextId }: { force?: boolean; nextId?: bigint } = {},
) => engineAt(databaseUrl).restore({ file, force, nextId })

function run(path: string, sql: string): void {
  using database = new Database(path)
  database.run(sql)
}

function namesIn(path: string): string[] {
  using database = new Database(path)
  return database.query('SELECT name FROM pets ORDER BY id').values().flat() as string[]
}

describe('going back to a backup', () => {
  test('gives back the animals, gives out no identifier twice, and keeps what was replaced', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex', 'Mia')
    // As people protect their backups.
    chmodSync(file, 0o400)
    const after = await startService({ databaseUrl })
    const lost = (await after.post(petJson({ name: 'lost' }))).pet
    await after.stop()

    const { code, stdout } = await petstore(['restore', file, '--force'], { DATABASE_URL: databaseUrl })
    expect(code).toBe(0)
    expect(stdout).toContain('Restored 2 animals and 0 API keys of production.')
    const service = await startService({ databaseUrl })
    expect((await walk(service, '/v1/pets')).pets.map(({ name }) => name)).toEqual(['Rex', 'Mia'])
    expect((await service.post(petJson({ name: 'new' }))).pet.id).toBe(lost.id + 1n)
    await service.stop()

    const [, kept = ''] = /is kept as (.+)\.\n/.exec(stdout) ?? []
    expect(namesIn(kept)).toEqual(['Rex', 'Mia', 'lost'])
  })

  test('leaves a key revoked that was revoked after the backup', async () => {
    const databaseUrl = await freshSqliteUrl()
    const key = await createKey(databaseUrl, 'leaked')
    await createKey(databaseUrl, 'revoked before')
    run(pathOf(databaseUrl), "UPDATE api_keys SET revoked_at = 1 WHERE name = 'revoked before'")
    const file = join(await freshFolder(), 'backup.db')
    await engineAt(databaseUrl).backUp({ file, force: false })
    const store = await engineAt(databaseUrl).open({ create: false })
    const leaked = (await store.keys.list()).find(({ name }) => name === 'leaked')
    await store.keys.revoke(leaked?.id ?? '', new Date())
    await store.close()
    expect((await restore(file, databaseUrl, { force: true })).revokedAgain).toBe(1)
    const service = await startService({ databaseUrl })
    expect(await service.fetch('/v1/pets', { key })).toHaveStatus(401)
    await service.stop()
  })

  test('names the keys that were created after the backup, which are gone, but not those invalid by now', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    for (const name of ['shop front', 'till', 'revoked', 'expired']) await createKey(databaseUrl, name)
    run(pathOf(databaseUrl), "UPDATE api_keys SET expires_at = 1 WHERE name = 'expired'")
    run(pathOf(databaseUrl), "UPDATE api_keys SET revoked_at = 1 WHERE name = 'revoked'")
    const { stdout } = await petstore(['restore', file, '--force'], { DATABASE_URL: databaseUrl })
    const dropped = stdout.matchAll(/^key_\w{12} "(.+)" was created after the backup, so it is not valid/gm)
    expect(Array.from(dropped, ([, name]) => name)).toEqual(['shop front', 'till'])
    expect(stdout).not.toContain('"revoked"')
  })

  test('goes on above the identifier that the operator names, where the old database is gone, unless too few follow it', async () => {
    const { file } = await storeWithBackup('Rex')
    const databaseUrl = await freshSqliteUrl()
    for (const id of ['9223372036854775807', '0', '-1'])
      expect(await petstore(['restore', file, '--next-id', id], { DATABASE_URL: databaseUrl })).toMatchObject(
        {
          code: 2,
          stderr: expect.stringContaining('It must be from 1 to 4611686018427387904.'),
        },
      )
    const { stdout } = await petstore(['restore', file, '--next-id', '5000'], { DATABASE_URL: databaseUrl })
    expect(stdout).toContain('Keys that were revoked after the backup are valid again')
    expect(stdout).not.toContain('--next-id')
    const service = await startService({ databaseUrl })
    expect((await service.post(petJson({ name: 'next' }))).pet.id).toBe(5000n)
    await service.stop()
  })

  test('works where the database is damaged, which is kept with its log', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    writeFileSync(pathOf(databaseUrl), 'no database any more')
    writeFileSync(`${pathOf(databaseUrl)}-wal`, 'nor a log')
    await expect(restore(file, databaseUrl)).rejects.toThrow('is damaged')
    await restore(file, databaseUrl, { force: true })
    expect(namesIn(pathOf(databaseUrl))).toEqual(['Rex'])
    const kept = readdirSync(dirname(pathOf(databaseUrl))).filter(name => name.includes('.replaced-'))
    expect(kept.map(name => name.replace(/.*Z/, '')).toSorted()).toEqual(['', '-wal'])
  })

  test.each([
    ['was written by a newer release', 'PRAGMA user_version = 2'],
    ['was copied', `INSERT INTO meta VALUES ('copy_mark', '{"role":"source","other":"elsewhere"}')`],
  ])('works over a database that %s, and still gives out no identifier twice', async (_, change) => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    await makeStore(databaseUrl, ['lost'])
    run(pathOf(databaseUrl), change)
    await expect(restore(file, databaseUrl)).rejects.toThrow('--force replaces it')
    expect(await restore(file, databaseUrl, { force: true })).toMatchObject({ animals: 1, lastId: 2n })
    expect(namesIn(pathOf(databaseUrl))).toEqual(['Rex'])
  })

  test.each(['removed', 'killed'])('is not mixed with the log of a database that was %s', async how => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    const path = pathOf(databaseUrl)
    const service = await startService({ databaseUrl })
    await service.post(petJson({ name: 'gone' }))
    const files = [path, `${path}-wal`].map(name => [name, readFileSync(name)] as const)
    await service.stop()
    for (const [name, bytes] of files) writeFileSync(name, bytes)
    if (how === 'removed') rmSync(path)
    const { kept = '' } = await restore(file, databaseUrl, { force: true })
    expect(namesIn(pathOf(databaseUrl))).toEqual(['Rex'])
    if (how === 'killed') expect(namesIn(kept)).toEqual(['Rex', 'gone'])
    else expect(kept).toEndWith('-wal')
  })

  test.each(['wal', 'delete'])('keeps out a service that starts before it is done (%s)', async mode => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    run(pathOf(databaseUrl), `PRAGMA journal_mode = ${mode}`)
    const read = () => run(pathOf(databaseUrl), 'SELECT count(*) FROM pets')
    using _starting = atStatement('COMMIT', { after: () => expect(read).toThrow('locked') })
    expect(await restore(file, databaseUrl, { force: true })).toMatchObject({ animals: 1 })
  })
})

describe('a restore that is refused leaves everything as it is', () => {
  async function refusal(file: string, databaseUrl: string, force = true): Promise<string> {
    const path = pathOf(databaseUrl)
    const content = () => (existsSync(path) ? readFileSync(path, 'latin1') : undefined)
    const before = content()
    const { exit, message } = await restore(file, databaseUrl, { force }).then(
      () => ({ exit: 'done', message: '' }),
      (error: { exit: string; message: string }) => error,
    )
    expect(content()).toBe(before)
    expect(readdirSync(dirname(path)).filter(name => name.includes('-draft-'))).toEqual([])
    return `${exit}: ${message}`
  }
  test('while a service has the database open, idle or not', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    const service = await startService({ databaseUrl })
    const elsewhere = await petstore(['restore', file, '--force'], { DATABASE_URL: databaseUrl })
    expect(`${elsewhere.code} ${elsewhere.stderr}`).toMatch(/^5 petstore: [^\n]* open\. Stop it first\.\n$/)
    expect(await service.post(petJson({ name: 'still served' }))).toHaveStatus(201)
    await expect(restore(file, databaseUrl, { force: true })).rejects.toThrow('Stop it first')
    expect((await walk(service, '/v1/pets')).pets.map(({ name }) => name)).toEqual(['Rex', 'still served'])
    expect(await service.stop()).toBe(0)
    const empty = await startService()
    expect(await refusal(file, empty.options.databaseUrl, false)).toContain('Stop it first')
    expect(await empty.stop()).toBe(0)
    expect(await restore(file, empty.options.databaseUrl)).toMatchObject({ animals: 1, kept: undefined })
  })

  test('where a service makes the database at the last moment', async () => {
    const { file } = await storeWithBackup('Rex')
    const databaseUrl = await freshSqliteUrl()
    using _theirs = atStatement('COMMIT', { before: () => writeFileSync(pathOf(databaseUrl), 'theirs') })
    await expect(restore(file, databaseUrl, { force: true })).rejects.toThrow('already exists')
    expect(readFileSync(pathOf(databaseUrl), 'utf8')).toBe('theirs')
  })

  test.each([
    ['another restore replaces the database', 'Mia'],
    ['a service adds the first animal', undefined],
  ])('where %s while the backup is read', async (_what, previous) => {
    const { file } = await storeWithBackup('Rex')
    const [databaseUrl, other] = [await freshSqliteUrl(), await freshSqliteUrl()]
    await makeStore(databaseUrl, previous ? [previous] : [])
    await makeStore(other, ['theirs'])
    const act = () =>
      previous
        ? renameSync(pathOf(other), pathOf(databaseUrl))
        : run(pathOf(databaseUrl), "INSERT INTO pets VALUES (1, 'theirs', 1, 'sold')")
    using _theirs = atStatement('VACUUM', { before: act })
    await expect(restore(file, databaseUrl, { force: true })).rejects.toThrow('Stop it first')
    expect(namesIn(pathOf(databaseUrl))).toEqual(['theirs'])
  })

  test('where the database holds animals and --force was not given, or is not ours', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    expect(await refusal(file, databaseUrl, false)).toMatch(/^invalid: .*is not empty/)
    run(pathOf(databaseUrl), "UPDATE meta SET value = 'staging' WHERE name = 'environment'")
    expect(await refusal(file, databaseUrl)).toMatch(/^refused: .*belongs to staging/)
    const foreign = await freshSqliteUrl()
    run(pathOf(foreign), 'CREATE TABLE bookmarks (url TEXT)')
    expect(await refusal(file, foreign)).toMatch(/^refused: .*another program/)
  })

  test('where the backup is missing, empty, cut short, damaged, of a newer release, or the database itself', async () => {
    const animals = Array.from({ length: 300 }, (_, n) => `animal ${n}`)
    const { databaseUrl, file } = await storeWithBackup(...animals)
    const bad = join(await freshFolder(), 'bad.db')
    expect(await refusal(bad, databaseUrl)).toMatch(/^missing: There is no file/)
    expect(await refusal(pathOf(databaseUrl), databaseUrl)).toMatch(/^invalid: .*the database itself/)
    writeFileSync(bad, '')
    expect(await refusal(bad, await freshSqliteUrl())).toContain('is empty. Choose another backup')
    const bytes = readFileSync(file)
    writeFileSync(bad, bytes.subarray(0, -1))
    expect(await refusal(bad, databaseUrl)).toMatch(
      /^refused: .*truncated\. Nothing was changed\. Choose another backup\.$/,
    )
    writeFileSync(bad, Buffer.from(bytes).fill(0xa5, bytes.length - 4096))
    expect(await refusal(bad, databaseUrl)).toMatch(/^failed: .*(damaged|malformed)/)
    writeFileSync(bad, bytes)
    run(bad, 'PRAGMA user_version = 2')
    expect(await refusal(bad, databaseUrl)).toContain('newer release')
  })
})
