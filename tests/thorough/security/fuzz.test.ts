import { expect, test } from 'bun:test'
import { type Engine, engines } from '../../support/service/engines.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { figure, isFull, measured } from '../faults/support/form.ts'
import { seedFor } from '../faults/support/seed.ts'
import { attack, type Victim } from './fuzz/attack.ts'

/** Each part starts with empty databases and its own seed, which replays it alone. */
const REQUESTS = figure(4000, 100_000)
const PARTS = Number(process.env.PETSTORE_FUZZ_PARTS ?? figure(1, 10))

const victim = async (engine: Engine): Promise<Victim> => ({
  service: await startProcess({ databaseUrl: await engine.freshDatabaseUrl() }),
})

/** Sends the requests of a part to a service on each engine; counts the statuses. */
async function part(number: number): Promise<Record<string, number>> {
  const seed = seedFor(`requests of part ${number}`, number - 1)
  const victims = await Promise.all(engines.map(victim))
  const statuses = await attack(victims, seed, REQUESTS)
  for (const { service } of victims) {
    expect(await service.stop()).toBe(0)
    expect(service.errors.text).toBe('')
    expect(service.output.text).not.toContain('"event":"request-failed"')
  }
  return statuses
}

const numbers = Array.from({ length: PARTS }, (_, index) => index + 1)
const pairs = numbers.filter(number => number % 2 === 1).map(number => numbers.slice(number - 1, number + 1))

test.each(pairs.map(pair => [pair.join(' and '), pair] as const))(
  'no generated request gets a 5xx, stops the service, breaks the description or tells the engines apart (part %s)',
  async (names, together) => {
    const started = performance.now()
    const tallies = await Promise.all(together.map(part))
    const seconds = (performance.now() - started) / 1000
    const total: Record<string, number> = {}
    for (const [status, count] of tallies.flatMap(Object.entries<number>))
      total[status] = (total[status] ?? 0) + count
    const found = Object.entries(total).map(([status, count]) => `${status}: ${count}`)
    const sent = Object.values(total).reduce((sum, count) => sum + count, 0)
    measured(
      `generated requests, part ${names} of ${PARTS}`,
      `${sent} on each of ${engines.map(({ name }) => name).join(' and ')}, 0 × 5xx, 0 crashes, all described and alike; ${Math.round(sent / seconds)} a second (${found.join(', ')})`,
    )
    // Each kind of answer must occur, or the generator is too weak. A few thousand requests may not produce a 422.
    for (const status of [
      '200',
      '201',
      '304',
      '400',
      '401',
      '404',
      '405',
      '413',
      '415',
      ...(isFull ? ['422'] : []),
    ])
      expect(total[status] ?? 0).toBeGreaterThan(0)
  },
)
