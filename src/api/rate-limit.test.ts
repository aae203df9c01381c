import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RateLimiter, rateLimitMemory } from './rate-limit.ts'

const WORKERS = 2
/** One word for each bucket, at the beginning of the memory. */
const LOCKS = 512

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

  test('counts for all threads that share its memory, request by request', () => {
    const memory = rateLimitMemory()
    const limiters = [1, 2, 3].map(() => new RateLimiter({ quota: 100, windowSeconds: 60 }, memory))
    const states = Array.from({ length: 300 }, (_, n) => limiters[n % 3]?.take('key', n))
    expect(states.filter(state => state?.isAllowed)).toHaveLength(100)
    expect(states.slice(0, 100).map(state => state?.remaining)).toEqual(
      Array.from({ length: 100 }, (_, n) => 99 - n),
    )
  })

  test('forgets nothing when a thread counts a request that was begun before one already counted', () => {
    const limiter = new RateLimiter({ quota: 2, windowSeconds: 60 }, rateLimitMemory())
    expect([5000, 3000, 5000].map(begun => limiter.take('key', begun).isAllowed)).toEqual([true, true, false])
  })

  test('lets exactly its quota through threads that count at the same time', async () => {
    const memory = rateLimitMemory()
    const module = new URL('./rate-limit.ts', import.meta.url).href
    const source = `import { RateLimiter } from ${JSON.stringify(module)}
      self.onmessage = ({ data: { memory, turn } }) => {
        const limiter = new RateLimiter({ quota: 50_000, windowSeconds: 3600 }, memory)
        const barrier = new Int32Array(turn)
        Atomics.add(barrier, 0, 1)
        while (Atomics.load(barrier, 0) < ${WORKERS});
        let allowed = 0
        for (let n = 0; n < 40_000; n++) if (limiter.take('key', performance.now()).isAllowed) allowed++
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
    expect(allowed).toBe(50_000)
  })

  test('forgets the key that was idle for longest when there are more keys than its memory holds', () => {
    const limiter = new RateLimiter({ quota: 1, windowSeconds: 60 }, rateLimitMemory())
    expect(limiter.take('busy', 0).isAllowed).toBe(true)
    for (let n = 0; n < 20_000; n++) {
      expect(limiter.take(`key ${n}`, n).isAllowed).toBe(true)
      expect(limiter.take(`key ${n}`, n).isAllowed).toBe(false)
      // A key in constant use stays counted.
      expect(limiter.take('busy', n).isAllowed).toBe(false)
    }
    expect(limiter.take('key 0', 20_000).isAllowed).toBe(true)
  })

  test('takes over a lock that an ended thread left behind', () => {
    const memory = rateLimitMemory()
    const limiter = new RateLimiter({ quota: 2, windowSeconds: 60 }, memory)
    expect(limiter.take('key', 0).isAllowed).toBe(true)
    // All locks were taken in a second long ago.
    const locks = new Int32Array(memory, 0, LOCKS).fill(1)
    expect([1, 2].map(now => limiter.take('key', now).isAllowed)).toEqual([true, false])
    expect(locks.filter(lock => lock === 0)).toHaveLength(1)
  })
})

test('a thread that starts after the clock was set counts on the time of the others', () => {
  const memory = rateLimitMemory()
  const policy = { quota: 2, windowSeconds: 60 }
  const hour = 3_600_000
  const [older, newer] = [new RateLimiter(policy, memory), new RateLimiter(policy, memory, hour)]
  expect([older.take('key', 1000).isAllowed, newer.take('key', 1000 + hour).isAllowed]).toEqual([true, true])
  expect([older.take('key', 2000).isAllowed, newer.take('key', 2000 + hour).isAllowed]).toEqual([
    false,
    false,
  ])
  expect(older.take('key', 63_000).isAllowed).toBe(true)
})
