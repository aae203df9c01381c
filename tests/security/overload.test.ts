import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { figure, isFull, measured, TIMEOUT_MS } from '../faults/support/form.ts'
import { residentBytes } from '../faults/support/proc.ts'
import { type Engine, engines } from '../support/engines.ts'
import { petJson } from '../support/exact.ts'
import { API_KEY, type Service, startService } from '../support/service.ts'

const CLIENT = join(import.meta.dir, 'support/overload-client.ts')
const SECONDS = figure(3, 60)
const CONNECTIONS = 2000
/** The promise is one second. The short form shares its machine with other tests, which the figure would measure too. */
const P99_MS = figure(8000, 1000)
const MAX_GROWTH_BYTES = 64 * 1024 * 1024
const SLOW_COMMIT_SECONDS = 0.25

interface Report {
  readonly sentPerSecond: number
  readonly seconds: number
  readonly broken: number
  readonly statuses: Record<string, { count: number; p50: number; p99: number } | undefined>
}

const services: Service[] = []
afterAll(() => Promise.all(services.map(service => service.stop())))

async function load(service: Service, rate: number, seconds: number, connections: number): Promise<Report> {
  const args = [service.url, API_KEY, rate, seconds, connections].map(String)
  const child = Bun.spawn([process.execPath, CLIENT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  return (await child.stdout.json()) as Report
}

/** Every commit takes its time, as on a slow disk: what the store can carry does not depend on this machine. */
async function slowDown(databaseUrl: string): Promise<void> {
  const sql = new Bun.SQL(databaseUrl, { max: 1 })
  await sql.unsafe(`
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(${SLOW_COMMIT_SECONDS}); RETURN NULL; END $$;
    CREATE TRIGGER slow AFTER UPDATE ON pet_counter FOR EACH STATEMENT EXECUTE FUNCTION slow()`)
  await sql.close()
}

const attacks: [string, Engine, boolean][] = engines.flatMap((engine): [string, Engine, boolean][] =>
  engine.name === 'postgres'
    ? [
        ...(isFull ? [['postgres', engine, false] satisfies [string, Engine, boolean]] : []),
        ['postgres with slow commits', engine, true],
      ]
    : [[engine.name, engine, false]],
)

test.each(attacks)(
  'three times what %s can carry: an early 503 or an answer in time, flat memory, and normal at once',
  async (name, engine, isSlow) => {
    const service = await startService({ databaseUrl: await engine.freshDatabaseUrl() })
    services.push(service)
    if (isSlow) await slowDown(service.options.databaseUrl)
    const calm = await load(service, 0, figure(1, 10), isSlow ? 600 : 64)
    const capacity = Math.round((calm.statuses[201]?.count ?? 0) / calm.seconds)
    await load(service, capacity * 3, figure(1, 15), CONNECTIONS)
    const before = residentBytes(service.process.pid)
    const storm = await load(service, capacity * 3, SECONDS, CONNECTIONS)
    const growth = residentBytes(service.process.pid) - before

    const started = performance.now()
    expect((await service.post(petJson({}))).status).toBe(201)
    const afterMs = performance.now() - started

    const accepted = storm.statuses[201] ?? { count: 0, p50: 0, p99: 0 }
    const refused = storm.statuses[503] ?? { count: 0, p50: 0, p99: 0 }
    measured(
      `overload of ${name}`,
      `carries ${capacity}/s; offered ${storm.sentPerSecond}/s for ${SECONDS} s: ${accepted.count} accepted (p50 ${accepted.p50} ms, p99 ${accepted.p99} ms), ${refused.count} refused (p50 ${refused.p50} ms), memory ${(before / 2 ** 20).toFixed(0)} MiB and ${(growth / 2 ** 20).toFixed(1)} MiB more, next request ${afterMs.toFixed(0)} ms`,
    )
    expect(Object.keys(storm.statuses).filter(status => status !== '201' && status !== '503')).toEqual([])
    expect(storm.broken).toBe(0)
    expect(accepted.count).toBeGreaterThan(0)
    expect(accepted.p99).toBeLessThan(P99_MS)
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES)
    expect(afterMs).toBeLessThan(P99_MS)
    if (!isSlow) return
    expect(refused.count).toBeGreaterThan(0)
    expect(refused.p50).toBeLessThan(accepted.p50)
  },
  TIMEOUT_MS,
)
