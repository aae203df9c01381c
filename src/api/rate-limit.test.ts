import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { newRateCounts, RateLimiter } from './rate-limit.ts'

const WORKERS = 2
const HOUR = 3_600_000

/** Limits requests at these times; the policy is that of a window of 10 seconds. */
function limiterOf(quota: number, memory = newRateCounts()) {
  const limiter = new RateLimiter({ quota, windowSeconds: 10 }, memory)
  return (now: number, key = 'key') => {
    const { isAllowed, headers } = limiter.limit(key, now)
    const [, remaining, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.RateLimit ?? '') ?? []
    expect(headers['Retry-After']).toBe(isAllowed ? undefined : reset)
    return { isAllowed, remaining: Number(remaining), reset: Number(reset) }
  }
}

describe('a rate limit', () => {
  test('lets in its quota in each window, which begins with the first request, one less remaining each time', () => {
    const memory = newRateCounts()
    // Half a window, so that requests come at the very end of one.
    const gap = fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constant(5000))
    const gaps = fc.array(gap, { maxLength: 200 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), gaps, (quota, waits) => {
        new Uint8Array(memory).fill(0)
        const limit = limiterOf(quota, memory)
        let [now, start, count] = [HOUR, Number.NEGATIVE_INFINITY, 0]
        for (const wait of waits) {
          now += wait
          if (now - start >= 10_000) [start, count] = [now, 0]
          const isAllowed = count < quota
          if (isAllowed) count++
          const reset = Math.ceil((start + 10_000 - now) / 1000)
          expect(limit(now)).toEqual({ isAllowed, remaining: quota - count, reset })
        }
      }),
    )
  })

  test('lets exactly its quota through threads that count at the same time', async () => {
    const memory = newRateCounts()
    const module = new URL('./rate-limit.ts', import.meta.url).href
    const source = `import { RateLimiter } from ${JSON.stringify(module)}
      self.onmessage = ({ data: { memory, turn } }) => {
        const limiter = new RateLimiter({ quota: 70_000, windowSeconds: 3600 }, memory)
        const barrier = new Int32Array(turn)
        Atomics.add(barrier, 0, 1)
        while (Atomics.load(barrier, 0) < ${WORKERS});
        let allowed = 0
        for (let n = 0; n < 40_000; n++) if (limiter.limit('key').isAllowed) allowed++
        self.postMessage(allowed)
      }`
    const url = URL.createObjectURL(new Blob([source], { type: 'application/typescript' }))
    const turn = new SharedArrayBuffer(4)
    const workers = Array.from({ length: WORKERS }, () => new Worker(url))
    const counts = workers.map(
      worker =>
        new Promise<number>((resolve, reject) => {
          worker.onmessage = ({ data }) => resolve(data)
          worker.onerror = ({ message }) => reject(new Error(message))
          worker.postMessage({ memory, turn })
        }),
    )
    const allowed = (await Promise.all(counts)).reduce((sum, count) => sum + count)
    for (const worker of workers) worker.terminate()
    expect(allowed).toBe(70_000)
  })

  test('counts 30,000 keys separately, and lets in no more than its quota of any key beyond', () => {
    const limit = limiterOf(1)
    const allowedOf = (keys: number): number =>
      Array.from({ length: keys }, (_, n) => limit(HOUR, `key ${n}`)).filter(({ isAllowed }) => isAllowed)
        .length
    expect(allowedOf(30_000)).toBe(30_000)
    expect(allowedOf(70_000)).toBeLessThan(40_000)
    expect(allowedOf(70_000)).toBe(0)
  })

  test.each<[change: string, shift: number, isAllowed: boolean]>([
    ['back by less than the window', -3000, false],
    ['back by an hour', -HOUR, true],
    ['forward by an hour', HOUR, true],
  ])('names no more than the window when the clock was set %s', (_change, shift, isAllowed) => {
    const limit = limiterOf(1)
    limit(2 * HOUR)
    expect(limit(2 * HOUR + shift)).toEqual({ isAllowed, remaining: 0, reset: 10 })
  })
})
