import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { petJson } from '../../support/http.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'

/** Five times is allowed. What is checked here takes less, so that what would take five is noticed. */
const MAX_RATIO = 3
/** A busy machine adds to single runs; an expensive body is expensive in all of them. */
const TRIES = 5
const REQUESTS = 400
const AT_ONCE = 8

let service: ServiceProcess
beforeAll(async () => {
  service = await startProcess()
})
afterAll(() => service.discard())

/** Nanoseconds of all threads. */
const spent = (): number =>
  readdirSync(`/proc/${service.process.pid}/task`)
    .map(thread => readFileSync(`/proc/${service.process.pid}/task/${thread}/schedstat`, 'utf8'))
    .reduce((sum, line) => sum + Number(line.split(' ')[0]), 0)

async function costOf(body: string): Promise<number> {
  const before = spent()
  for (let n = 0; n < REQUESTS; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => service.post(body)))
  return spent() - before
}

/** An animal with a field of this text. */
const withX = (text: string): string => `${petJson({}).slice(0, -1)},"x":${text}}`
const fractions = (count: number): string => withX(`[${Array(count).fill('1.0')}]`).padEnd(2048)

test.each([
  ['2 KB of fractions', fractions(490)],
  ['2 KB of which 120 values are fractions', fractions(120)],
  ['64 KB of empty lines', '\n'.repeat(65_536)],
  ['64 KB of white space in brackets', '['.repeat(120).padEnd(65_536)],
])('%s take at most three times the processor time of a plain body of that size', async (_what, body) => {
  const plain = withX(JSON.stringify('a'.repeat(body.length - 50)))
  // The runtime compiles what runs often.
  for (const each of [body, plain]) await costOf(each)
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && least >= MAX_RATIO; n++) {
    const usual = await costOf(plain)
    least = Math.min(least, (await costOf(body)) / usual)
  }
  expect(least).toBeLessThan(MAX_RATIO)
})
