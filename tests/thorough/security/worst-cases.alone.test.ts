import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { figure, measured } from '../faults/support/form.ts'
import { WORST_CASES } from './support/worst-cases/index.ts'
import type { WorstCase } from './support/worst-cases/worst-case.ts'

/** On a slow machine that runs other tests too, 5 ms can become 15; quadratic time takes seconds. */
const LIMIT_MS = figure(50, 5)
/** For four times the text; quadratic time would take 16 times as long. */
const MOST_GROWTH = 10
/** A busy machine slows down single runs; quadratic time slows down all of them. */
const TRIES = 100

async function timeOf({ read }: WorstCase, input: string): Promise<number> {
  // Not a rope, because real input is contiguous.
  const fresh = Buffer.from(input, 'utf16le').toString('utf16le')
  // The clock counts other processes too, and processor time other threads.
  const started = performance.now()
  const before = process.cpuUsage()
  try {
    await read(fresh)
  } catch {
    // A rejection is a valid outcome.
  }
  const { user, system } = process.cpuUsage(before)
  return Math.min(performance.now() - started, (user + system) / 1000)
}

async function leastMs(worst: WorstCase): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && !(n >= 10 && least < LIMIT_MS); n++)
    least = Math.min(least, await timeOf(worst, worst.input))
  return least
}

/** How many times as long four times the text takes, by the fastest try of each. */
async function growth(worst: WorstCase, fourfold: string): Promise<number> {
  let [once, four] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let n = 0; n < 20 && !(n >= 3 && four / once < MOST_GROWTH); n++) {
    once = Math.min(once, await timeOf(worst, worst.input))
    four = Math.min(four, await timeOf(worst, fourfold))
  }
  return four / once
}

describe.each(Object.entries(WORST_CASES))('%s', (what, cases) => {
  test.each(Object.entries(cases))('%s take time in proportion to their length', async (kind, worst) => {
    if (worst.fourfold !== undefined) {
      const times = await growth(worst, worst.fourfold)
      measured(`${what}, four times 64 KB of ${kind}`, `${times.toFixed(1)} times as long`)
      expect(times).toBeLessThan(MOST_GROWTH)
      return
    }
    const ms = await leastMs(worst)
    measured(`${what}, 64 KB of ${kind}`, `${ms.toFixed(2)} ms`)
    expect(ms).toBeLessThan(LIMIT_MS)
  })
})

describe('through the front door', () => {
  let service: ServiceProcess
  beforeAll(async () => {
    service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  })
  afterAll(() => service.stop())

  test('others are answered at once while bodies of the worst kinds come in', async () => {
    const bodies = ['numbers of a body', 'structure of a body', 'name of an animal'].flatMap(kind =>
      Object.values(WORST_CASES[kind] ?? {}).map(({ input }) => input),
    )
    let isOver = false
    const attack = Promise.all(bodies.map(body => service.post(body))).finally(() => {
      isOver = true
    })
    let slowest = 0
    while (!isOver) {
      const started = performance.now()
      expect((await service.fetch('/livez')).status).toBe(200)
      slowest = Math.max(slowest, performance.now() - started)
    }
    for (const { status } of await attack) expect(status).toBeOneOf([201, 400, 413])
    measured(
      `/livez while ${bodies.length} bodies of the worst kinds come in`,
      `${slowest.toFixed(0)} ms at most`,
    )
    // One such body used to take seconds.
    expect(slowest).toBeLessThan(figure(10_000, 2000))
  })
})
