import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Environment } from '../../../contract/servers.ts'
import { OperatorError } from '../../../operator-error.ts'
import { noSchema } from '../../no-database.ts'
import { MIGRATIONS } from './index.ts'

/** "PETS" in ASCII: a lock that instances take one after another while they bring the schema up to date. */
const LOCK = 0x50455453

const RECORDS = `
  CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL);
  CREATE TABLE IF NOT EXISTS meta (name text PRIMARY KEY, value text NOT NULL);
`

/** Brings the schema up to this release, one transaction a step, while all other starting instances wait. */
export async function migrate(client: pg.ClientBase, environment: Environment): Promise<void> {
  if ((await appliedVersion(client)) === 0) await locked(client, () => claim(client, environment))
  await assertOurs(client, environment)
  for (const [index, migration] of MIGRATIONS.entries()) {
    const version = index + 1
    if ((await appliedVersion(client)) >= version) continue
    await locked(client, async () => {
      if ((await appliedVersion(client)) >= version) return
      if (typeof migration.step === 'string') await client.query(migration.step)
      else await migration.step(client)
      await client.query('INSERT INTO migrations VALUES ($1, $2, $3)', [version, migration.name, Date.now()])
    })
  }
}

/** Writes down whose database this is before anything is put into it. */
async function claim(client: pg.ClientBase, environment: Environment): Promise<void> {
  await client.query(RECORDS)
  await client.query(
    "INSERT INTO meta VALUES ('environment', $1), ('cursor_secret', $2) ON CONFLICT DO NOTHING",
    [environment, randomBytes(32).toString('hex')],
  )
}

/** For those who only use what there is. */
export async function assertMade(client: pg.ClientBase, name: string): Promise<void> {
  if ((await appliedVersion(client)) === 0) throw noSchema(name)
}

export async function assertOurs(client: pg.ClientBase, environment: Environment): Promise<void> {
  const { rows } = await client.query<{ value: string }>("SELECT value FROM meta WHERE name = 'environment'")
  const owner = rows[0]?.value
  if (owner !== environment)
    throw new OperatorError(
      `This database belongs to ${owner}; this is ${environment}. It was left as it is.`,
    )
  const version = await appliedVersion(client)
  if (version > MIGRATIONS.length)
    throw new OperatorError(
      `This database was written by a newer release (schema ${version}; this release knows ${MIGRATIONS.length}). It was left as it is.`,
    )
}

export async function appliedVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('migrations') IS NOT NULL AS exists",
  )
  if (rows[0]?.exists !== true) return 0
  const found = await client.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM migrations',
  )
  return found.rows[0]?.version ?? 0
}

/** The lock belongs to the transaction, so that a crash or a pooler in between cannot leave it behind. */
async function locked(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
  await work()
  await client.query('COMMIT')
}
