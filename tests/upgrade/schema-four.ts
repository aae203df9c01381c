import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { query } from '../support/postgres/server.ts'

const SECRET = '5e'.repeat(32)
const STEPS = ['0001', '0002', '0003', '0004']

interface OldRequest {
  readonly keyId: string
  /** As the client sent it, which is how schema 4 stored it. */
  readonly key: string
  readonly petId: number
  readonly ageMs: number
}

/** Fills an empty database as left by a service with schema 4: one animal for each remembered request. */
export async function fillWithSchemaFour(
  databaseUrl: string,
  requests: readonly OldRequest[],
): Promise<void> {
  const engine = databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres'
  const rows = requests.flatMap(({ keyId, key, petId, ageMs }) => {
    const columns = engine === 'sqlite' ? '' : ', name, category_id, status'
    const values = engine === 'sqlite' ? '' : ", 'Rex', 7, 'available'"
    return [
      `INSERT INTO pets (id, name, category_id, status) VALUES (${petId}, 'Rex', 7, 'available')`,
      `INSERT INTO idempotency (key_id, key, pet_id, created_at${columns}) VALUES ('${keyId}', '${key}', ${petId}, ${Date.now() - ageMs}${values})`,
    ]
  })
  const script = [
    'CREATE TABLE migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)',
    'CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL)',
    `INSERT INTO meta VALUES ('environment', 'production'), ('cursor_secret', '${SECRET}')`,
    ...STEPS.flatMap((step, index) => [
      sqlOf(engine, step),
      `INSERT INTO migrations VALUES (${index + 1}, '${step}', 0)`,
    ]),
    ...rows,
    ...(engine === 'sqlite'
      ? []
      : [`UPDATE pet_counter SET last_id = ${Math.max(...requests.map(({ petId }) => petId))}`]),
  ].join(';\n')
  if (engine === 'postgres') return void (await query(databaseUrl, script))
  const database = new Database(databaseUrl.slice('sqlite:'.length), { create: true })
  database.run('PRAGMA journal_mode = WAL')
  database.run(`PRAGMA application_id = ${0x50455453}`)
  database.run(script)
  database.close()
}

function sqlOf(engine: string, step: string): string {
  const folder = join(import.meta.dir, '../../src/store', engine, 'migrations')
  const name = readdirSync(folder).find(file => file.startsWith(step)) ?? ''
  return readFileSync(join(folder, name), 'utf8')
}
