import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealCursor } from '../src/api/cursor.ts'
import { preflightOf } from '../tests/support/programs/preflight.ts'
import { residentBytes } from './harness/procfs.ts'
import { startService } from './harness/service.ts'
import { spread } from './harness/summary.ts'
import { animal, type PlannedRequest } from './harness/workloads.ts'
import { runWrk, writePlan } from './harness/wrk.ts'

/**
 * Measures what ten million animals cost: the same work on a store of 1,000 and on a large one, in alternating rounds. A ratio
 * of 1 means that growth costs nothing.
 */
const SMALL = 1000
await preflightOf('npm run bench:growth', 'wrk')
const LARGE = Number(process.argv[2] ?? 10_000_000)
const ROUNDS = 3
const SECONDS = 3
const KEY = `bench_${crypto.randomUUID()}`

const STATUS = "CASE i % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END"

/** Writes directly to the file: filling it through the API would take an hour and is not measured. */
function fill(path: string, animals: number): void {
  const database = new Database(path)
  database.run('PRAGMA synchronous = OFF')
  database.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${animals})
     INSERT INTO pets (name, category_id, status) SELECT 'Animal ' || i, i % 10, ${STATUS} FROM n`,
  )
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

function plans(path: string, animals: number): Record<string, PlannedRequest[]> {
  const database = new Database(path, { readonly: true })
  const row = database.query("SELECT value FROM meta WHERE name = 'cursor_secret'").get() as { value: string }
  database.close()
  const deep = sealCursor({ after: BigInt(animals - 100), status: undefined }, row.value)
  const get = (path: string): PlannedRequest => ({ method: 'GET', path })
  const thousand = Array.from({ length: 1000 }, (_, index) => index)
  const random = () => 1 + Math.floor(Math.random() * animals)
  return {
    'list of 20': [get('/v1/pets?limit=20')],
    'deepest page': [get(`/v1/pets?limit=20&cursor=${deep}`)],
    'one animal, 1,000 of them': thousand.map(index =>
      get(`/v1/pets/${1 + index * Math.floor(animals / 1000)}`),
    ),
    'one animal, any of them': Array.from({ length: 50_000 }, () => get(`/v1/pets/${random()}`)),
    creation: thousand.map(number => ({ method: 'POST', path: '/v1/pets', body: animal(number) })),
  }
}

async function round(path: string, plan: PlannedRequest[], folder: string) {
  const service = await startService(`sqlite:${path}`, `${path}.log`, KEY)
  try {
    const planFile = join(folder, 'plan')
    await writePlan(planFile, plan)
    await runWrk(service.url, planFile, KEY, 1)
    const { perSecond, failures } = await runWrk(service.url, planFile, KEY, SECONDS)
    if (failures > 0) throw new Error(`${failures} requests failed`)
    return { perSecond, memory: residentBytes(service.pid), readyMs: service.readyMs }
  } finally {
    await service.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'petstore-growth-'))
try {
  const stores = [SMALL, LARGE].map(animals => ({ animals, path: join(folder, `${animals}.db`) }))
  for (const { animals, path } of stores) {
    await (await startService(`sqlite:${path}`, `${path}.log`, KEY)).stop()
    fill(path, animals)
  }
  const rows: string[] = []
  let memory = 0
  const ready: number[] = []
  for (const work of Object.keys(plans(stores[0]?.path ?? '', SMALL))) {
    const ratios: number[] = []
    for (let count = 0; count < ROUNDS; count++) {
      const rates: number[] = []
      for (const { animals, path } of stores) {
        const result = await round(path, plans(path, animals)[work] ?? [], folder)
        rates.push(result.perSecond)
        if (animals === LARGE) {
          memory = Math.max(memory, result.memory)
          ready.push(result.readyMs)
        }
      }
      ratios.push((rates[0] ?? 0) / (rates[1] ?? 1))
    }
    rows.push(
      `| ${work} | ${spread(ratios).median.toFixed(2)} | ${ratios.map(ratio => ratio.toFixed(2)).join(', ')} |`,
    )
    process.stdout.write(`${rows.at(-1)}\n`)
  }
  process.stdout.write(
    `\n| Work | cost at ${LARGE.toLocaleString('en')} over cost at 1,000 | rounds |\n|---|---|---|\n${rows.join('\n')}\n\n` +
      `Ready ${Math.round(spread(ready).median)} ms after its start (median of ${ready.length}); ` +
      `at most ${Math.round(memory / 2 ** 20)} MB resident under load.\n`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
