import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { freePort } from '../support/http/free-port.ts'
import { petstore, type Ran } from '../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { startService } from '../support/service/service.ts'

/** The last identifier but one, so that two more animals reach the end of int64. */
const NEARLY_THE_END = 9_223_372_036_854_775_805n
const KEY_ID = expect.stringMatching(/^key_\w+$/)
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Parses the one document on standard output. Integers above 2^53 become bigints. */
function facts({ code, stdout, stderr }: Ran): Record<string, unknown> {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout, exactly) as Record<string, unknown>
}

const exactly = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(context?.source ?? '') : value

describe('--json prints one document, exact to the last digit', () => {
  let folder: string
  let store: string
  const run = (...args: string[]): Promise<Ran> => petstore([...args, '--json'], { DATABASE_URL: store })

  beforeAll(async () => {
    folder = await freshFolder()
    store = await freshSqliteUrl()
    await petstore(['keys', 'create', '--create', '--name', 'first'], { DATABASE_URL: store })
    const database = new Database(store.replace('sqlite:', ''))
    database.run(
      `INSERT INTO pets (id, name, category_id, status) VALUES (${NEARLY_THE_END}, 'far', 1, 'sold')`,
    )
    database.close()
  })

  test('keys create, list and revoke', async () => {
    const made = facts(await run('keys', 'create', '--name', 'second "x"', '--expires', '2099-01-31'))
    expect(made).toEqual({
      id: KEY_ID,
      name: 'second "x"',
      key: expect.stringMatching(/^pets_live_\w{33}$/),
      expiresAt: '2099-01-31T00:00:00.000Z',
      environment: 'production',
    })
    const listed = (await run('keys', 'list')).stdout
    expect(JSON.parse(listed)).toEqual([
      {
        id: KEY_ID,
        name: 'first',
        prefix: expect.stringMatching(/^pets_live_\w{4}…$/),
        createdAt: TIME,
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
        state: 'active',
      },
      expect.objectContaining({ id: made.id, expiresAt: '2099-01-31T00:00:00.000Z', state: 'active' }),
    ])
    expect(listed).not.toContain(String(made.key))
    expect(facts(await run('keys', 'revoke', String(made.id)))).toEqual({
      id: made.id,
      name: 'second "x"',
      revokedAt: TIME,
    })
  })

  test('import, backup, restore and copy', async () => {
    const file = join(folder, 'animals.ndjson')
    await Bun.write(file, '{"name":"Rex","categoryId":7}\n')
    expect(facts(await run('pets', 'import', file, '--dry-run'))).toMatchObject({
      imported: 0,
      good: 1,
      bad: 0,
    })
    expect(facts(await run('pets', 'import', file, '--yes'))).toEqual({
      imported: 1,
      good: 1,
      bad: 0,
      firstId: NEARLY_THE_END + 1n,
      lastId: NEARLY_THE_END + 1n,
      durationMs: expect.anything(),
    })

    const backup = join(folder, 'backup.db')
    const made = facts(await run('backup', backup))
    expect(made).toMatchObject({
      file: backup,
      environment: 'production',
      animals: 2,
      keys: 2,
      lastId: NEARLY_THE_END + 1n,
      bytes: expect.any(Number),
    })

    const restored = await petstore(['restore', backup, '--json'], { DATABASE_URL: await freshSqliteUrl() })
    expect(facts(restored)).toMatchObject({ animals: 2, keys: 2, lastId: NEARLY_THE_END + 1n, kept: null })

    const target = await freshSqliteUrl()
    const copied = await petstore(['copy', '--from', store, '--to', target, '--json'])
    expect(facts(copied)).toMatchObject({
      from: store,
      to: target,
      environment: 'production',
      counts: { pets: 2, keys: 2 },
      checksums: { pets: expect.stringMatching(/^[0-9a-f]{64}$/) },
      asOf: TIME,
    })
  })

  test('deprecations and demo', async () => {
    const [first] = facts(await run('deprecations')) as unknown as [Record<string, unknown>]
    expect(first).toMatchObject({ operation: 'getPet', sunset: '2030-12-05T00:00:00.000Z', keys: [] })
    const empty = await freshSqliteUrl()
    const added = facts(await petstore(['demo', '--yes', '--json'], { DATABASE_URL: empty }))
    expect(added).toEqual({ added: 52, firstId: 1, lastId: 52 })
  })

  test('ready and doctor, also when something is wrong', async () => {
    const service = await startService({ databaseUrl: await freshSqliteUrl() })
    const { port } = new URL(service.url)
    expect(facts(await petstore(['ready', '--json', '--port', port]))).toEqual({
      ready: true,
      found: expect.stringContaining('/readyz is ready'),
    })
    await service.stop()
    const gone = await petstore(['ready', '--json', '--port', String(await freePort())])
    expect(gone.code).toBe(5)
    expect(JSON.parse(gone.stdout)).toEqual({
      ready: false,
      found: expect.stringContaining('nothing responds'),
    })
    expect(gone.stderr).toMatch(/^petstore: Nothing responds at [^\n]+ serve"\.\n$/)

    const doctor = await petstore(['doctor', '--json', '--port', 'x'])
    expect(doctor.code).toBe(1)
    expect(JSON.parse(doctor.stdout)).toMatchObject({ findings: [{ topic: 'settings', level: 'fail' }] })
  })

  test('a failure is a sentence on standard error, and standard output stays empty', async () => {
    for (const [exit, ...args] of [
      ['3', 'keys', 'revoke', 'nobody'],
      ['3', 'explain', 'nonsense'],
      ['3', 'pets', 'import', join(folder, 'none.csv')],
      ['2', 'backup', folder],
    ]) {
      const { code, stdout, stderr } = await run(...args)
      expect({ code, stdout }).toEqual({ code: Number(exit), stdout: '' })
      expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
    }
  })
})
