import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { figure, measured } from '../faults/support/form.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { type Service, startService } from '../support/service/service.ts'
import { WORST_CASES, type WorstCase } from './support/worst-cases.ts'

/** The promise is 5 ms. The short form shares its machine with other tests, which the figure would measure too. */
const LIMIT_MS = figure(25, 5)
const FILE_LIMIT_MS = figure(5000, 1000)
/** A machine that does something else besides makes single runs slow; time that grows with the square makes all of them slow. */
const TRIES = 60
const LIMITS_PAGE = readFileSync(join(import.meta.dir, '../../docs/reference/limits.md'), 'utf8')

async function leastMs({ input, read }: WorstCase, limitMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < (limitMs === LIMIT_MS ? TRIES : 5) && !(n >= 3 && least < limitMs); n++) {
    // Not a rope: what comes in is one piece of memory.
    const fresh = Buffer.from(input, 'utf16le').toString('utf16le')
    const started = performance.now()
    try {
      await read(fresh)
    } catch {
      // A refusal is an answer too.
    }
    least = Math.min(least, performance.now() - started)
  }
  return least
}

describe.each(Object.entries(WORST_CASES))('%s', (what, cases) => {
  test.each(Object.entries(cases))('%s take time in proportion to their length', async (kind, worst) => {
    const limitMs = worst.isFile ? FILE_LIMIT_MS : LIMIT_MS
    const ms = await leastMs(worst, limitMs)
    measured(`${what}, ${worst.isFile ? '1 MB' : '64 KB'} of ${kind}`, `${ms.toFixed(2)} ms`)
    expect(ms).toBeLessThan(limitMs)
  })

  test('is in the reference of the limits', () => {
    expect(LIMITS_PAGE).toContain(`| ${what} |`)
  })
})

describe('through the front door', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ databaseUrl: await freshSqliteUrl() })
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
    // One such body used to take seconds by itself.
    expect(slowest).toBeLessThan(figure(10_000, 2000))
  })
})
