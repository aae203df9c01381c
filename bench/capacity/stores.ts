import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '../../scripts/command.ts'
import { freshDatabaseUrl, PostgresServer, query } from '../../tests/support/postgres.ts'
import { SERVICE, start } from '../contestants.ts'
import { loadAll, residentMiB } from '../load.ts'
import { linesOf } from '../measure.ts'
import { fill, WORKLOADS } from '../workloads.ts'

type Engine = 'sqlite' | 'postgres'

/** Megabytes of a million animals, which are bytes of one. */
export interface Size {
  readonly engine: Engine
  readonly part: string
  readonly bytes: number
}

/** How long something took with so many animals, and for a start how much memory the service has then. */
export interface Duration {
  readonly engine: Engine
  readonly animals: number
  readonly work: string
  readonly seconds: number
  readonly residentMiB?: number
}

const STARTS = 3
/** What a create with an idempotency key stores: the key's id, 43 characters of an HMAC, the animal's id and a time. */
const KEYS_ON_SQLITE = `INSERT INTO idempotency SELECT 'key_0123456789ab', substr(hex(randomblob(22)), 1, 43), id, 1794000000000 + id FROM pets`
const KEYS_ON_POSTGRES = `INSERT INTO idempotency SELECT 'key_0123456789ab', substr(md5(id::text) || md5((-id)::text), 1, 43), id, 1794000000000 + id FROM pets`

/** Fills a store on each engine, and times what an operator does with it. */
export async function measureStores(counts: readonly number[]) {
  const durations: Duration[] = []
  const sizes: Size[] = []
  const server = await PostgresServer.create()
  const folder = mkdtempSync(join(tmpdir(), 'petstore-capacity-'))
  const note = (duration: Duration): void => {
    const { engine, animals, work, seconds } = duration
    say(`${engine.padEnd(9)}${animals.toLocaleString('en').padStart(11)}  ${work}: ${seconds.toFixed(2)} s`)
    durations.push(duration)
  }
  try {
    for (const animals of counts) {
      const at = (name: string): string => `sqlite:${join(folder, `${name}-${animals}.db`)}`
      const [file, shared] = [at('animals'), await freshDatabaseUrl(server.url())]
      const command = async (engine: Engine, work: string, ...args: string[]): Promise<void> =>
        note({ engine, animals, work, seconds: await timed(folder, ...args) })
      const starts = async (engine: Engine, url: string): Promise<void> =>
        note({ engine, animals, work: 'start', ...(await started(folder, url)) })
      // Creates the tables.
      await started(folder, file)
      await fill(file, animals)
      Bun.spawnSync(['sync'])
      await starts('sqlite', file)
      const backup = `backup-${animals}.db`
      await command('sqlite', 'backup', 'backup', backup, '--database-url', file)
      await command('sqlite', 'restore', 'restore', backup, '--database-url', at('again'))
      await command('sqlite', 'copy to PostgreSQL', 'copy', '--from', at('again'), '--to', shared)
      await starts('postgres', shared)
      await command('postgres', 'copy to SQLite', 'copy', '--from', shared, '--to', at('back'))
      if (animals !== counts[0]) continue
      sizes.push(...sqliteSizes(file, animals), ...(await postgresSizes(shared, animals)))
      sizes.push(...(await logSizes(folder, server)))
    }
    return { durations, sizes }
  } finally {
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds from the start of the process to a 200 of /readyz, and its memory then; of several starts the one in the middle. */
async function started(folder: string, databaseUrl: string) {
  const found: { readonly seconds: number; readonly residentMiB: number }[] = []
  while (found.length < STARTS) {
    const began = performance.now()
    const running = await start(SERVICE, { folder, databaseUrl }, { readyPath: '/readyz' })
    found.push({ seconds: (performance.now() - began) / 1000, residentMiB: residentMiB(running.pid) })
    await running.stop()
  }
  return found.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(STARTS / 2)] ?? { seconds: Number.NaN }
}

/** Seconds that a command of the program took. */
async function timed(folder: string, ...args: string[]): Promise<number> {
  const [bun = '', main = ''] = SERVICE.command
  const began = performance.now()
  const child = Bun.spawn([bun, main, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const [complaint, code] = await Promise.all([child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`petstore ${args.join(' ')}: ${complaint}`)
  return (performance.now() - began) / 1000
}

function sqliteSizes(url: string, animals: number): Size[] {
  using database = new Database(url.slice('sqlite:'.length))
  database.run(KEYS_ON_SQLITE)
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  const bytesOf = database.query<{ bytes: number }, [string]>(
    'SELECT sum(pgsize) AS bytes FROM dbstat WHERE name = ?',
  )
  return (
    [
      ['animals', 'pets'],
      ['index', 'pets_by_status'],
      ['idempotency keys', 'idempotency'],
      ['their index', 'idempotency_by_age'],
    ] as const
  ).map(([part, name]) => ({ engine: 'sqlite', part, bytes: (bytesOf.get(name)?.bytes ?? 0) / animals }))
}

async function postgresSizes(url: string, animals: number): Promise<Size[]> {
  await query(url, KEYS_ON_POSTGRES)
  const [row] = await query<Record<string, string>>(
    url,
    `SELECT pg_table_size('pets') AS animals, pg_indexes_size('pets') AS "index",
      pg_table_size('idempotency') AS "idempotency keys", pg_indexes_size('idempotency') AS "their index"`,
  )
  return Object.entries(row ?? {}).map(([part, bytes]) => ({
    engine: 'postgres',
    part,
    bytes: Number(bytes) / animals,
  }))
}

/** What creates write to logs. SQLite's write-ahead log is one file, which stays about as long as it is now. */
async function logSizes(folder: string, server: PostgresServer): Promise<Size[]> {
  const planFile = join(folder, 'plan')
  await Bun.write(planFile, linesOf(await WORKLOADS.create.plan({ url: '', animals: 0, cursors: [] })))
  const file = join(folder, 'logged.db')
  const shared = await freshDatabaseUrl(server.url())
  const position = async (): Promise<number> => {
    const [row] = await server.query<{ bytes: string }>("SELECT pg_current_wal_lsn() - '0/0' AS bytes")
    return Number(row?.bytes)
  }
  const sizes: Size[] = []
  for (const engine of ['sqlite', 'postgres'] as const) {
    const databaseUrl = engine === 'sqlite' ? `sqlite:${file}` : shared
    const place = { folder: mkdtempSync(join(folder, 'logged-')), databaseUrl }
    const running = await start(SERVICE, place)
    const before = await position()
    await loadAll([running], planFile, { seconds: 3 })
    const written = engine === 'sqlite' ? statSync(`${file}-wal`).size : (await position()) - before
    await running.stop()
    const animals = await countOf(engine, file, shared)
    const perMillion = engine === 'sqlite' ? 1e6 : animals
    sizes.push({ engine, part: 'write-ahead log', bytes: written / perMillion })
    sizes.push({
      engine,
      part: "service's log",
      bytes: statSync(join(place.folder, 'output')).size / animals,
    })
  }
  return sizes
}

async function countOf(engine: Engine, file: string, url: string): Promise<number> {
  const count = 'SELECT count(*) AS count FROM pets'
  if (engine === 'postgres') return Number((await query<{ count: string }>(url, count))[0]?.count)
  using database = new Database(file)
  return database.query<{ count: number }, []>(count).get()?.count ?? 0
}
