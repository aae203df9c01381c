import { expect, test } from 'bun:test'
import pg from 'pg'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { petJson } from '../../support/http/exact.ts'
import { freshPostgresUrl } from '../../support/postgres/engine.ts'
import { query } from '../../support/postgres/server.ts'
import { petstore } from '../../support/service/cli.ts'
import { startProcess } from '../../support/service/service-process.ts'

const CROWD = 40

test.each([
  ['connection_limit in its URL', '?connection_limit=3', '900'],
  ['max in its URL', '?max=3', '900'],
  ['PETSTORE_DATABASE_CONNECTIONS', '', '3'],
])(
  'a service opens no more connections than %s allows, and readers leave two of them to writes and readiness',
  async (_whose, parameter, setting) => {
    const databaseUrl = await freshPostgresUrl()
    const service = await startProcess({
      databaseUrl: databaseUrl + parameter,
      variables: { PETSTORE_DATABASE_CONNECTIONS: setting },
    })
    const holder = new pg.Client({ connectionString: databaseUrl })
    await holder.connect()
    await holder.query('BEGIN; LOCK TABLE api_keys')
    const crowd = Array.from({ length: CROWD }, () =>
      service.fetch('/v1/pets', { key: generateApiKey('production') }),
    )
    const answers = await Promise.all([service.post(petJson({})), service.fetch('/readyz')])
    expect(answers.map(({ status }) => status)).toEqual([201, 200])
    const [row] = await query<{ open: number }>(
      databaseUrl,
      `SELECT count(*)::integer AS open FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'petstore'`,
    )
    expect(row?.open).toBeLessThanOrEqual(3)
    await holder.end()
    // Requests that waited too long get a 503; all others are answered, and so is the next.
    for (const { status } of await Promise.all(crowd)) expect([401, 503]).toContain(status)
    expect((await service.fetch('/v1/pets', { key: generateApiKey('production') })).status).toBe(401)
    expect(await service.stop()).toBe(0)
  },
)

test('a number of connections that cannot be used is refused at the start', async () => {
  const ran = await petstore(['serve'], { DATABASE_URL: 'postgres://a/b?connection_limit=2' })
  expect(ran).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('must have a number from 3 to 1000 as connection_limit or max'),
  })
})
