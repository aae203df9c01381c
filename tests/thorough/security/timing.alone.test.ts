import { expect, test } from 'bun:test'
import { checksum, generateApiKey } from '../../../src/keys/api-key.ts'
import { KeyRing } from '../../../src/keys/key-ring.ts'
import { createKey, freshSqliteUrl } from '../../support/process.ts'
import { API_KEY, engineAt } from '../../support/service.ts'

const SAMPLES = 6000
/** Welch's t beyond which the means of two samples differ beyond doubt. */
const DIFFERENT = 4.5
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

const below = (limit: number): number => Math.floor(Math.random() * limit)
const letters = (count: number): string =>
  Array.from({ length: count }, () => LETTERS[below(LETTERS.length)]).join('')
/** Many of each kind: where a single key lands in the tables of the process is random, for near and far alike. */
const many = (make: () => string): string[] => Array.from({ length: 256 }, make)

/** A key with a valid checksum whose random part differs from a real one in its last characters. */
const nearMiss = (key: string): string => {
  const body = key.slice(0, -9) + letters(3)
  return body + checksum(body)
}

test.each([
  [
    'a stored key, which is looked up by its SHA-256',
    (real: string) => [many(() => nearMiss(real)), many(() => generateApiKey('production'))],
  ],
  [
    'the configured key, whose hash is compared in constant time',
    () => [many(() => API_KEY.slice(0, -2) + letters(2)), many(() => letters(API_KEY.length))],
  ],
])('the time of a refusal does not tell how near a key is to %s', async (_what, keysNear) => {
  const databaseUrl = await freshSqliteUrl()
  const real = await createKey(databaseUrl, 'real')
  const store = await engineAt(databaseUrl).open({ create: true })
  const ring = new KeyRing({ environment: 'production', keys: store.keys, configuredKey: API_KEY })
  for (const key of [real, API_KEY]) await ring.verify(key)
  const keys = keysNear(real)
  const times: [number[], number[]] = [[], []]
  for (let n = -SAMPLES / 10; n < SAMPLES; n++) {
    // In random order, so that nothing else correlates with it.
    const kind = below(2)
    // A new string at another place in memory, as if it had just arrived.
    const key = Buffer.from(keys[kind]?.[below(256)] ?? '').toString('latin1')
    const started = Bun.nanoseconds()
    ring.cachedKeyId(key, performance.now())
    const isRefused = await ring.verify(key).then(
      () => false,
      () => true,
    )
    if (n >= 0) times[kind as 0 | 1].push(Bun.nanoseconds() - started)
    expect(isRefused).toBe(true)
  }
  await store.close()
  expect(Math.abs(welch(...times))).toBeLessThan(DIFFERENT)
})

/** Welch's t, without the slowest tenth, which measures the machine and not the code. */
function welch(one: number[], two: number[]): number {
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
  const limit = [...one, ...two].sort((a, b) => a - b)[Math.floor((one.length + two.length) * 0.9)] ?? 0
  const [first = [], second = []] = [one, two].map(values => values.filter(value => value <= limit))
  const meanOf = (values: number[]): number => sum(values) / values.length
  const errorOf = (values: number[]): number => {
    const mean = meanOf(values)
    return sum(values.map(value => (value - mean) ** 2)) / (values.length - 1) / values.length
  }
  return (meanOf(first) - meanOf(second)) / Math.sqrt(errorOf(first) + errorOf(second))
}
