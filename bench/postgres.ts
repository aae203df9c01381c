import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealCursor } from '../src/api/cursor.ts'
import { freePort } from '../tests/support/http/free-port.ts'
import { PostgresServer } from '../tests/support/postgres/server.ts'
import { preflightOf } from '../tests/support/programs/preflight.ts'
import { startService } from './harness/service.ts'
import { spread } from './harness/summary.ts'
import { animal, type PlannedRequest } from './harness/workloads.ts'
import { runWrk, writePlan } from './harness/wrk.ts'

/** Compares the service on PostgreSQL with a bare Bun.serve that runs the same query with the same `pg` and sends its rows. */
await preflightOf('npm run bench:postgres', 'wrk')
const ROUNDS = 5
const SECONDS = 3
const TARGET = 0.9
const ANIMALS = 1000
const KEY = `bench_${crypto.randomUUID()}`
const FLOOR_TABLE = `CREATE TABLE floor_pets (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL,
  category_id bigint NOT NULL, status text NOT NULL); CREATE INDEX ON floor_pets (status, id)`

const get = (path: string): PlannedRequest => ({ method: 'GET', path })
const numbers = Array.from({ length: ANIMALS }, (_, index) => index + 1)
const creations = (path: string) =>
  numbers.map((number): PlannedRequest => ({ method: 'POST', path, body: animal(number) }))

async function startFloor(databaseUrl: string) {
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'postgres-floor.ts')], {
    env: { PATH, HOME, PORT: String(port), DATABASE_URL: databaseUrl },
  })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(`${url}/readyz`).then(
      () => true,
      () => false,
    ))
  )
    await Bun.sleep(10)
  return { url, stop: () => child.kill() }
}

const folder = mkdtempSync(join(tmpdir(), 'petstore-postgres-'))
const server = await PostgresServer.create()
const databaseUrl = await server.freshDatabaseUrl()
const database = new URL(databaseUrl).pathname.slice(1)
const service = await startService(databaseUrl, join(folder, 'log'), KEY)
const floor = await startFloor(databaseUrl)
try {
  const load = async (url: string, plan: PlannedRequest[], seconds: number) => {
    const file = join(folder, 'plan')
    await writePlan(file, plan)
    const { perSecond, failures } = await runWrk(url, file, KEY, seconds)
    if (failures > 0) throw new Error(`${failures} requests failed`)
    return perSecond
  }
  await server.query(FLOOR_TABLE, database)
  await server.query(
    `INSERT INTO pets SELECT i, 'Animal ' || i, i % 10, 'sold' FROM generate_series(1, ${ANIMALS}) i;
     SELECT setval('pet_ids', ${ANIMALS})`,
    database,
  )
  const [secret] = await server.query<{ value: string }>(
    "SELECT value FROM meta WHERE name = 'cursor_secret'",
    database,
  )
  const nearEnd = ANIMALS - 20
  const last = sealCursor({ after: BigInt(nearEnd), status: undefined }, secret?.value ?? '')
  // The last page is never cached, so the service queries the database each time, as the floor always does.
  const works: [string, PlannedRequest[], PlannedRequest[]][] = [
    ['last page, asked for each time', [get(`/v1/pets?limit=20&cursor=${last}`)], [get(`/page/${nearEnd}`)]],
    ['list of 20, kept in memory', [get('/v1/pets?limit=20')], [get('/page/0')]],
    [
      'one animal, kept in memory',
      numbers.map(id => get(`/v1/pets/${id}`)),
      numbers.map(id => get(`/pet/${id}`)),
    ],
    ['creation, durable', creations('/v1/pets'), creations('/pets')],
  ]
  const rows: string[] = []
  for (const [work, own, bare] of works) {
    await load(service.url, own, 1)
    await load(floor.url, bare, 1)
    const ratios: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const sides = [() => load(service.url, own, SECONDS), () => load(floor.url, bare, SECONDS)]
      const rates: number[] = []
      // Every other round runs backwards, so that going first favours neither side.
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) rates[side] = (await sides[side]?.()) ?? 0
      ratios.push((rates[0] ?? 0) / (rates[1] ?? 1))
    }
    const { median, min, max } = spread(ratios)
    rows.push(`| ${work} | ${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)}) | ≥ ${TARGET} |`)
    process.stdout.write(`${rows.at(-1)}\n`)
  }
  process.stdout.write(
    `\n| Work on PostgreSQL | of a bare Bun.serve with the same query | Target |\n|---|---|---|\n${rows.join('\n')}\n`,
  )
} finally {
  floor.stop()
  await service.stop()
  await server.remove()
  rmSync(folder, { recursive: true, force: true })
}
