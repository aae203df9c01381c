import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { walk } from '../support/http.ts'
import { freshFolder, freshSqliteUrl, pathOf, petstore } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { atStatement, runIn } from '../support/statements.ts'
import { addKey, animals, engineAt, makeStore } from '../support/store.ts'

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

function namesIn(path: string): string[] {
  using database = new Database(path)
  return database.query('SELECT name FROM pets ORDER BY id').values().flat() as string[]
}

describe('going back to a backup', () => {
  test('gives back the animals, and gives out no identifier twice', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex', 'Mia')
    // As people protect their backups.
    chmodSync(file, 0o400)
    const after = await startService({ databaseUrl })
    const lost = await after.add({ name: 'lost' })
    await after.stop()

    const { code, stdout } = await petstore(['restore', file, '--force'], { DATABASE_URL: databaseUrl })
    expect(code).toBe(0)
    expect(stdout).toContain('Restored 2 animals and 0 API keys of production.')
    expect(stdout).toMatch(/^The previous database is kept as \S+\.replaced-\S+\.$/m)
    const service = await startService({ databaseUrl })
    expect((await walk(service, '/v1/pets')).pets.map(({ name }) => name)).toEqual(['Rex', 'Mia'])
    expect((await service.add({ name: 'new' })).id).toBe(lost.id + 1n)
    await service.stop()
  })

  test('leaves a key revoked that was revoked after it, and names those created after it, but not those invalid by now', async () => {
    const databaseUrl = await freshSqliteUrl()
    const leaked = await addKey(databaseUrl, 'leaked')
    await addKey(databaseUrl, 'revoked before')
    runIn(pathOf(databaseUrl), "UPDATE api_keys SET revoked_at = 1 WHERE name = 'revoked before'")
    const file = join(await freshFolder(), 'backup.db')
    await engineAt(databaseUrl).backUp({ file, force: false })
    await addKey(databaseUrl, 'shop front')
    await addKey(databaseUrl, 'revoked after')
    await addKey(databaseUrl, 'till', new Date(Date.now() + 60_000))
    await addKey(databaseUrl, 'expired', new Date(Date.now() - 1))
    runIn(pathOf(databaseUrl), "UPDATE api_keys SET revoked_at = 1 WHERE name IN ('leaked', 'revoked after')")
    const { stdout } = await petstore(['restore', file, '--force'], { DATABASE_URL: databaseUrl })
    expect(stdout).toContain('\n1 key revoked after the backup stayed revoked.\n')
    const created = stdout.matchAll(/^key_\w{12} "(.+)" was created after the backup, so it is not valid/gm)
    expect(Array.from(created, ([, name]) => name).toSorted()).toEqual(['shop front', 'till'])
    using service = await startService({ databaseUrl })
    expect(await service.fetch('/v1/pets', { key: leaked })).toHaveStatus(401)
  })

  test('goes on above the identifier that the operator names, unless too few follow it or the old database knows a higher one', async () => {
    const { file } = await storeWithBackup('Rex')
    const databaseUrl = await freshSqliteUrl()
    const variables = { DATABASE_URL: databaseUrl }
    for (const id of ['4611686018427387905', '0']) {
      const { code, stderr } = await petstore(['restore', file, '--next-id', id], variables)
      expect([code, stderr]).toEqual([2, expect.stringContaining('must be from 1 to 4611686018427387904.')])
    }
    const { stdout } = await petstore(['restore', file, '--next-id', '5000'], variables)
    expect(stdout).toContain('Keys that were revoked after the backup are valid again')
    expect(stdout).not.toContain('--next-id')
    const service = await startService({ databaseUrl })
    expect((await service.add({ name: 'next' })).id).toBe(5000n)
    await service.stop()
    expect(await restore(file, databaseUrl, { force: true, nextId: 10n })).toMatchObject({ lastId: 5000n })
    const highest = ['restore', file, '--force', '--next-id', '4611686018427387904']
    expect((await petstore(highest, variables)).code).toBe(0)
  })

  test.each([
    ['was written by a newer release', 'PRAGMA user_version = 2'],
    ['was copied', `INSERT INTO meta VALUES ('copy_mark', '{"role":"source","other":"elsewhere"}')`],
  ])('works over a database that %s, and still gives out no identifier twice', async (_, change) => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    await makeStore(databaseUrl, ['lost'])
    runIn(pathOf(databaseUrl), change)
    await expect(restore(file, databaseUrl)).rejects.toThrow('--force replaces it')
    expect(await restore(file, databaseUrl, { force: true })).toMatchObject({ animals: 1, lastId: 2n })
    expect(namesIn(pathOf(databaseUrl))).toEqual(['Rex'])
  })

  test.each(['wal', 'delete'])('keeps out a service that starts before it is done (%s)', async mode => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    runIn(pathOf(databaseUrl), `PRAGMA journal_mode = ${mode}`)
    const read = () => runIn(pathOf(databaseUrl), 'SELECT count(*) FROM pets')
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
    await service.add({ name: 'still served' })
    expect((await walk(service, '/v1/pets')).pets.map(({ name }) => name)).toEqual(['Rex', 'still served'])
    expect(await service.stop()).toBe(0)
    const empty = await startService()
    expect(await refusal(file, empty.options.databaseUrl, false)).toContain('Stop it first')
    expect(await empty.stop()).toBe(0)
    expect(await restore(file, empty.options.databaseUrl)).toMatchObject({ animals: 1, kept: undefined })
  })

  const replace = (path: string, other: string): void => renameSync(other, path)
  const insert = (path: string): void => runIn(path, "INSERT INTO pets VALUES (1, 'theirs', 1, 'sold')")
  test.each([
    ['a service makes the database at the last moment', undefined, 'COMMIT', replace, 'already exists'],
    ['another restore is done while the backup is read', ['Mia'], 'VACUUM', replace, 'Stop it first'],
    ['a service adds an animal while the backup is read', [], 'VACUUM', insert, 'Stop it first'],
  ])('where %s', async (_what, previous, moment, act, sentence) => {
    const { file } = await storeWithBackup('Rex')
    const [databaseUrl, other] = [await freshSqliteUrl(), await freshSqliteUrl()]
    if (previous) await makeStore(databaseUrl, previous)
    await makeStore(other, ['theirs'])
    using _theirs = atStatement(moment, { before: () => act(pathOf(databaseUrl), pathOf(other)) })
    await expect(restore(file, databaseUrl, { force: true })).rejects.toThrow(sentence)
    expect(namesIn(pathOf(databaseUrl))).toEqual(['theirs'])
  })

  test('where the database holds an animal, a key or a last identifier and --force was not given, or is not ours', async () => {
    const { databaseUrl, file } = await storeWithBackup('Rex')
    expect(await refusal(file, databaseUrl, false)).toMatch(/^invalid: .*is not empty/)
    const keyed = await freshSqliteUrl()
    await addKey(keyed, 'only')
    expect(await refusal(file, keyed, false)).toMatch(/^invalid: .*is not empty/)
    runIn(pathOf(keyed), "DELETE FROM api_keys; INSERT INTO sqlite_sequence VALUES ('pets', 1)")
    expect(await refusal(file, keyed, false)).toMatch(/^invalid: .*is not empty/)
    runIn(pathOf(databaseUrl), "UPDATE meta SET value = 'staging' WHERE name = 'environment'")
    expect(await refusal(file, databaseUrl)).toMatch(/^refused: .*belongs to staging/)
    const foreign = await freshSqliteUrl()
    runIn(pathOf(foreign), 'CREATE TABLE bookmarks (url TEXT)')
    expect(await refusal(file, foreign)).toMatch(/^refused: .*another program/)
  })

  test('where the backup is empty, cut short, damaged, or the database itself', async () => {
    const { databaseUrl, file } = await storeWithBackup(...animals(300))
    const bad = join(await freshFolder(), 'bad.db')
    expect(await refusal(pathOf(databaseUrl), databaseUrl)).toMatch(/^invalid: .*the database itself/)
    writeFileSync(bad, '')
    expect(await refusal(bad, await freshSqliteUrl())).toContain('is empty. Choose another backup')
    const bytes = readFileSync(file)
    writeFileSync(bad, bytes.subarray(0, -1))
    const truncated = /^refused: .* is truncated\. Nothing was changed\. Choose another backup\.$/
    expect(await refusal(bad, databaseUrl)).toMatch(truncated)
    writeFileSync(bad, Buffer.from(bytes).fill(0xa5, bytes.length - 4096))
    expect(await refusal(bad, databaseUrl)).toMatch(/^failed: .*(damaged|malformed)/)
  })
})
