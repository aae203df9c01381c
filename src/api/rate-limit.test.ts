import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RateLimiter, rateLimitMemory } from './rate-limit.ts'

describe('a rate limit', () => {
  test('lets in no more than its quota in any span of its window', () => {
    const memory = rateLimitMemory()
    const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), gaps, (quota, waits) => {
        const limiter = new RateLimiter({ quota, windowSeconds: 1 }, memory)
        new Int32Array(memory).fill(0)
        const admitted: number[] = []
        let now = 0
        for (const wait of waits) {
          now += wait
          if (limiter.take('key', now).isAllowed) admitted.push(now)
        }
        for (const [index, time] of admitted.entries())
          expect(admitted[index + quota] ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(time + 1000)
      }),
    )
  })

  test('lets a key in again after the seconds that it named', () => {
    const limiter = new RateLimiter({ quota: 2, windowSeconds: 10 }, rateLimitMemory())
    for (const now of [0, 300]) expect(limiter.take('key', now).isAllowed).toBe(true)
    const refused = limiter.take('key', 500)
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0 })
    expect(limiter.take('other', 500).isAllowed).toBe(true)
    expect(limiter.take('key', 500 + refused.resetSeconds * 1000).isAllowed).toBe(true)
  })
})
