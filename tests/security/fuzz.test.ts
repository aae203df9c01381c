import { expect, test } from 'bun:test'
import { figure, measured, TIMEOUT_MS } from '../faults/support/form.ts'
import { seeded } from '../faults/support/seed.ts'
import { type Engine, engines } from '../support/engines.ts'
import { startService } from '../support/service.ts'
import { attack, type Victim } from './fuzz/attack.ts'

const REQUESTS = Number(process.env.PETSTORE_FUZZ_REQUESTS ?? figure(4000, 1_000_000))

/** PostgreSQL leaves an identifier out where it repeats an answer, which it may; what follows can be compared without the gap. */
async function victim(engine: Engine): Promise<Victim> {
  const databaseUrl = await engine.freshDatabaseUrl()
  const service = await startService({ databaseUrl })
  if (engine.name === 'sqlite') return { service, closeGap: async () => {} }
  const sql = new Bun.SQL(databaseUrl, { max: 1 })
  return { service, closeGap: async () => void (await sql`UPDATE pet_counter SET last_id = last_id - 1`) }
}

test(
  'no generated request gets a 5xx, stops the service, breaks the description or tells the engines apart',
  async () => {
    const below = seeded('requests')
    const victims = await Promise.all(engines.map(victim))
    const started = performance.now()
    const { statuses } = await attack(victims, below, REQUESTS)
    const seconds = (performance.now() - started) / 1000
    for (const { service } of victims) {
      expect(await service.stop()).toBe(0)
      expect(service.errors.text).toBe('')
      expect(service.output.text).not.toContain('"event":"request-failed"')
    }
    const found = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
    measured(
      'generated requests on every engine',
      `${REQUESTS} on ${engines.map(({ name }) => name).join(' and ')}, 0 × 5xx, 0 crashes, all described and alike; ${Math.round(REQUESTS / seconds)} a second (${found.join(', ')})`,
    )
    // Each kind of answer must have been provoked, or the generator has lost its teeth.
    for (const status of ['200', '201', '304', '400', '401', '404', '405', '413', '415', '422'])
      expect(statuses[status] ?? 0).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)
