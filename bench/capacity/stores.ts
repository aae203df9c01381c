import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { must } from '../../scripts/command.ts'
import { freshDatabaseUrl, PostgresServer, query } from '../../tests/support/postgres.ts'
import { SERVICE, start } from '../contestants.ts'
import { fill } from '../workloads.ts'
import { type Effort, rounded, sayRow } from './figures.ts'

/** What a create with an idempotency key stores: the key's id, 43 characters of an HMAC, the animal's id and a time. */
const KEYS_ON_SQLITE = `INSERT INTO idempotency SELECT 'key_0123456789ab', substr(hex(randomblob(22)), 1, 43), id, 1794000000000 + id FROM pets`
const KEYS_ON_POSTGRES = `INSERT INTO idempotency SELECT 'key_0123456789ab', substr(md5(id::text) || md5((-id)::text), 1, 43), id, 1794000000000 + id FROM pets`
/** Tables and indexes of SQLite, and the same in PostgreSQL. */
const PARTS = [
  ['Animals', "'pets'", "pg_table_size('pets')"],
  ['Their indexes', "'pets_by_status'", "pg_indexes_size('pets')"],
  ['Their idempotency keys', "'idempotency', 'idempotency_by_age'", "pg_total_relation_size('idempotency')"],
] as const

/** What a million animals take on the disk, and how long an operator waits with them and with ten million. */
export async function measureStores({ million }: Effort): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-capacity-'))
  await using server = await PostgresServer.create()
  try {
    for (const animals of [million, 10 * million]) {
      const at = (name: string): string => `sqlite:${join(folder, `${name}-${animals}.db`)}`
      const [file, backup] = [at('animals'), join(folder, `backup-${animals}.db`)]
      const shared = await freshDatabaseUrl(server.url())
      const started = (databaseUrl: string) =>
        start(SERVICE, { folder, databaseUrl }, { readyPath: '/readyz' })
      // Creates the tables.
      await (await started(file)).stop()
      await fill(file, animals)
      Bun.spawnSync(['sync'])
      sayRow(`With ${animals.toLocaleString('en')} animals`, 'Time')
      await (await timed('Start on SQLite', started(file))).stop()
      await timed('Back up SQLite', petstore('backup', backup, '--database-url', file))
      await timed('Restore SQLite', petstore('restore', backup, '--database-url', at('again')))
      await timed('Copy SQLite to PostgreSQL', petstore('copy', '--from', at('again'), '--to', shared))
      await (await timed('Start on PostgreSQL', started(shared))).stop()
      await timed('Copy PostgreSQL to SQLite', petstore('copy', '--from', shared, '--to', at('back')))
      if (animals === million) await saySizes(file, shared, animals)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const petstore = (...args: string[]): Promise<string> => must(...SERVICE.command.slice(0, 2), ...args)

async function timed<Result>(title: string, work: Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await work
  sayRow(title, `${rounded((performance.now() - began) / 1000)} s`)
  return result
}

async function saySizes(file: string, shared: string, animals: number): Promise<void> {
  using database = new Database(file.slice('sqlite:'.length))
  database.run(KEYS_ON_SQLITE)
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  await query(shared, KEYS_ON_POSTGRES)
  sayRow('MB for a million animals', 'SQLite', 'PostgreSQL')
  for (const [title, names, size] of PARTS) {
    const own = `SELECT sum(pgsize) AS bytes FROM dbstat WHERE name IN (${names})`
    const sqlite = database.query<{ bytes: number }, []>(own).all()
    const postgres = await query<{ bytes: string }>(shared, `SELECT ${size} AS bytes`)
    // Bytes of one animal are megabytes of a million.
    sayRow(title, ...[...sqlite, ...postgres].map(({ bytes }) => Math.round(Number(bytes) / animals)))
  }
}
