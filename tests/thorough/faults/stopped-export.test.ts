import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  createReadStream,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { query } from '../../support/postgres/server.ts'
import { petstore } from '../../support/service/cli.ts'
import { engines } from '../../support/service/engines.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { scrape, startMeasuredProcess } from '../../support/service/metrics.ts'
import { commandLine, environmentWith, eventually } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { figure, measured } from './support/form.ts'
import { coreUse } from './support/proc.ts'
import { pathOf } from './support/stored.ts'
import { Writers } from './support/writers.ts'

const MEGABYTE = 1024 * 1024
/** Far more than a pipe holds. */
const ANIMALS = 200_000
const WRITING_MS = figure(3000, 60_000)
const KEPT_LOG = 64 * MEGABYTE

const logSize = (databaseUrl: string): number => statSync(`${pathOf(databaseUrl)}-wal`).size
const isSqlite = (databaseUrl: string): boolean => databaseUrl.startsWith('sqlite:')

test.each(engines.map(engine => [engine.name, engine] as const))(
  'an export that is not read, stopped or not, holds nothing back in %s, and is complete when it goes on',
  async (name, engine) => {
    const databaseUrl = await engine.freshDatabaseUrl()
    const service = await startProcess({ databaseUrl })
    await addAnimals(databaseUrl, ANIMALS)
    const pipe = join(await freshFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const [command = '', ...args] = commandLine('pets', 'export', '-', '--format', 'ndjson')
    const exporting = Bun.spawn(['sh', '-c', 'exec "$@" > "$0"', pipe, command, ...args], {
      env: environmentWith({ DATABASE_URL: databaseUrl }),
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const unread = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    const beginning = await eventually('the export has begun', () => firstByte(unread))
    await eventually('the export waits for its reader', async () =>
      (await coreUse(exporting.pid, 300)) === 0 && isAsleep(exporting.pid) ? true : undefined,
    )
    exporting.kill('SIGSTOP')
    const writers = new Writers(service.url, 'meanwhile', 16)
    await Bun.sleep(WRITING_MS)
    await writers.stop()
    expect(writers.acknowledged.size).toBeGreaterThan(0)
    expect(exporting.exitCode).toBe(null)
    const largest = isSqlite(databaseUrl) ? logSize(databaseUrl) : 0
    if (isSqlite(databaseUrl))
      // The service itself may still be writing the log back.
      await eventually('the log can be emptied', () => canEmptyLog(databaseUrl) || undefined)
    else expect(await transactionsOf(databaseUrl)).toEqual([])

    exporting.kill('SIGCONT')
    const reading = text(createReadStream(pipe))
    expect(await exporting.exited).toBe(0)
    const exported = `${beginning}${await reading}`.trimEnd().split('\n')
    closeSync(unread)
    // The export shows the state at its start, without later additions.
    expect(exported.length).toBe(ANIMALS)
    expect(JSON.parse(exported.at(-1) as string)).toMatchObject({ id: ANIMALS })
    expect(await service.stop()).toBe(0)
    measured(
      `a stopped export on ${name}`,
      `${writers.acknowledged.size} animals added meanwhile; ${isSqlite(databaseUrl) ? `the log had ${(largest / MEGABYTE).toFixed(1)} MiB and could be emptied` : 'no transaction was held'}; ${exported.length} of ${ANIMALS} exported in the end`,
    )
  },
)

test('a log that a long reader let grow is cut again when it is gone, and its size is a metric and a line of doctor', async () => {
  const service = await startMeasuredProcess({ databaseUrl: await freshSqliteUrl() })
  const { databaseUrl } = service.options
  const metric = async () => (await scrape(service.metricsUrl)).get('petstore_store_log_bytes') ?? 0
  const reader = new Database(pathOf(databaseUrl), { readonly: true })
  reader.run('BEGIN')
  reader.query('SELECT count(*) FROM meta').get()
  const large = new Database(pathOf(databaseUrl))
  large.run("INSERT INTO meta VALUES ('ballast', CAST(zeroblob(300000000) AS TEXT))")
  large.run("DELETE FROM meta WHERE name = 'ballast'")
  large.close()
  expect(await metric()).toBe(logSize(databaseUrl))
  expect(await metric()).toBeGreaterThan(4 * KEPT_LOG)
  const { stdout } = await petstore(['doctor'], { DATABASE_URL: databaseUrl })
  expect(stdout).toMatch(/log.*\d{3}\.\d MiB of write-ahead log/)
  reader.close()
  const writers = new Writers(service.url, 'after', 4)
  await eventually('the log is cut', async () => (await metric()) <= KEPT_LOG || undefined)
  await writers.stop()
  expect(await service.stop()).toBe(0)
})

/** Does not block. */
function firstByte(descriptor: number): string | undefined {
  const byte = Buffer.alloc(1)
  try {
    return readSync(descriptor, byte) === 1 ? byte.toString() : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

/** A runnable thread that waits for a core is not asleep. */
const isAsleep = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every(thread =>
    / S /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
  )

/** False while a reader uses a state older than the end of the log. */
function canEmptyLog(databaseUrl: string): boolean {
  const database = new Database(pathOf(databaseUrl))
  database.run('PRAGMA busy_timeout = 2000')
  const outcome = database.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()
  database.close()
  return outcome?.busy === 0
}

async function addAnimals(databaseUrl: string, count: number): Promise<void> {
  if (!isSqlite(databaseUrl)) {
    await query(
      databaseUrl,
      `WITH added AS (INSERT INTO pets SELECT n, 'animal ' || n, 1, 'sold' FROM generate_series(1, ${count}) AS n)
       UPDATE pet_counter SET last_id = ${count}`,
    )
    return
  }
  const database = new Database(pathOf(databaseUrl))
  database.run(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
     INSERT INTO pets (name, category_id, status) SELECT 'animal ' || n, 1, 'sold' FROM numbers`,
  )
  database.close()
}

const transactionsOf = (databaseUrl: string) =>
  query(
    databaseUrl,
    `SELECT state, query FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'petstore'
     AND (backend_xmin IS NOT NULL OR state LIKE 'idle in transaction%')`,
  )
