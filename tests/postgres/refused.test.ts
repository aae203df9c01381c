import { expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { freshPostgresUrl, onInsert, query } from '../support/postgres.ts'
import { eventually, petstore } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { addTo, engineAt, makeStore } from '../support/store.ts'

/** A database with its tables, and a role that has all the privileges of a service. */
async function withRole() {
  const owner = await freshPostgresUrl()
  await makeStore(owner, [])
  const role = new URL(owner).pathname.slice(1).replace('petstore', 'role')
  const sql = `CREATE ROLE ${role} LOGIN; GRANT SELECT, UPDATE ON meta TO ${role}; GRANT SELECT, INSERT ON pets TO ${role};
   GRANT SELECT, UPDATE ON pet_ids TO ${role}; GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency TO ${role};
   GRANT SELECT, UPDATE ON durable TO ${role}; GRANT SELECT, INSERT ON recovered TO ${role}; GRANT SELECT, UPDATE ON api_keys TO ${role}`
  await query(owner, sql)
  const url = new URL(owner)
  url.username = role
  return { owner, role, databaseUrl: url.href }
}

test('a role needs no more than these rights, and PostgreSQL names one that is missing', async () => {
  const { databaseUrl } = await withRole()
  const store = await engineAt(databaseUrl).open({ create: false })
  const add = () => addTo(store, 'Rex', 'once')
  expect([(await add()).replayed, (await add()).replayed]).toEqual([false, true])
  await store.keys.recordUses([{ id: 'k', at: new Date(), deprecatedCalls: 1 }])
  await store.close()
  const { code, stdout, stderr } = await petstore(['keys', 'create', '--name', 'x'], {
    DATABASE_URL: databaseUrl,
  })
  const refusal = expect.stringContaining('permission denied for table api_keys')
  expect([code, stdout, stderr]).toEqual([6, '', refusal])
})

test('a key whose connection breaks during the commit is not shown', async () => {
  const databaseUrl = await freshPostgresUrl()
  await makeStore(databaseUrl, [])
  await onInsert(databaseUrl, 'api_keys', 'at commit', 'PERFORM pg_terminate_backend(pg_backend_pid())')
  const ran = await petstore(['keys', 'create', '--name', 'x'], { DATABASE_URL: databaseUrl })
  expect([ran.code, ran.stdout]).toEqual([5, ''])
  expect(ran.stderr).toContain('may or may not have been stored')
  expect(await query(databaseUrl, 'SELECT FROM api_keys')).toEqual([])
})

const ROUTINES = ['store_pets', 'assign_pets', 'wait_at_commit', 'publish', 'publish_recovered']

const SPOILT: [lack: string, sql: string, refusal?: string][] = [
  [
    'UPDATE ON meta, INSERT ON pets, UPDATE ON pet_ids, UPDATE ON durable, INSERT ON recovered, INSERT ON idempotency, UPDATE ON idempotency, DELETE ON idempotency, UPDATE ON api_keys',
    'REVOKE INSERT, UPDATE, DELETE ON meta, pets, pet_ids, durable, recovered, idempotency, api_keys FROM ROLE',
  ],
  [
    `SELECT ON pet_ids, UPDATE ON pet_ids, ${ROUTINES.map(name => `EXECUTE ON ROUTINE ${name}`).join(', ')}`,
    `DROP ROUTINE ${ROUTINES}; DROP SEQUENCE pet_ids`,
  ],
  ['There are several routines named publish.', 'CREATE FUNCTION publish(text) RETURNS text RETURN $1'],
  ['relation "pets" does not exist', 'ALTER TABLE pets RENAME TO animals', 'without the other tables'],
  ['permission denied for table meta', 'REVOKE SELECT ON meta FROM ROLE'],
]

test.each(SPOILT.map(([lack, sql, refusal = lack]) => [lack, sql, refusal] as const))(
  'without %s a running service is not ready and says why, and no start or check accepts it',
  async (lack, sql, refusal) => {
    const { owner, role, databaseUrl } = await withRole()
    using service = await startService({ databaseUrl })
    await service.add()
    await query(owner, sql.replace('ROLE', role))
    const isNotReady = async () => (await service.fetch('/readyz')).status === 503 || undefined
    await eventually('it is not ready', isNotReady)
    const { message } = (await service.fetch('/readyz')).error
    expect(message).toEndWith('because the service lacks a privilege or an object in it.')
    expect((await service.post(petJson({}))).failure).toBe('503 unavailable')
    const { level, reason } = await service.output.entry(({ event }) => event === 'database-refused')
    expect([level, reason]).toEqual(['error', expect.stringContaining(lack)])
    const refused = { exit: 'refused', message: expect.stringContaining(refusal) }
    expect((await engineAt(databaseUrl).diagnose()).failure).toMatchObject(refused)
    await expect(startService({ databaseUrl })).rejects.toMatchObject(refused)
  },
)

test('identifiers that are used up make adding unavailable, and the log says what to do', async () => {
  const databaseUrl = await freshPostgresUrl()
  const service = await startService({ databaseUrl })
  await query(databaseUrl, "INSERT INTO pets VALUES (9223372036854775807, 'Last', 1, 'sold')")
  expect((await service.post(petJson({}))).failure).toBe('503 unavailable')
  const advice =
    "delete the animal, DELETE FROM recovered, SELECT setval('pet_ids', max(id)) FROM pets, and restart the service."
  const { reason } = await service.output.entry(({ event }) => event === 'database-refused')
  expect(reason).toContain(advice)
  expect(await service.stop()).toBe(0)
  await query(databaseUrl, "DELETE FROM pets; DELETE FROM recovered; SELECT setval('pet_ids', 0)")
  using again = await startService({ databaseUrl })
  const { id } = await again.add()
  expect(await again.fetch(`/v1/pets/${id}`)).toHaveStatus(200)
})

test('PgBouncer, which refuses options, is named together with what to add to the URL', async () => {
  // As PgBouncer 1.18 and 1.24 word it.
  for (const message of [
    'unsupported startup parameter: options',
    'unsupported startup parameter in options: x',
  ]) {
    const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`)
    const length = Buffer.alloc(4)
    length.writeInt32BE(fields.length + 4)
    using pooler = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: socket => void socket.end(Buffer.concat([Buffer.from('E'), length, fields])) },
    })
    const opening = engineAt(`postgres://127.0.0.1:${pooler.port}/pets`).open({ create: true })
    await expect(opening).rejects.toMatchObject({
      exit: 'invalid',
      message: expect.stringMatching(/^A pooler in transaction mode .* Add pgbouncer=true to DATABASE_URL /),
    })
  }
})
