import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { PetstoreError } from '../../../client/src/index.ts'
import { failure, halfAnAnswer, ok, silence, withServer } from './scripted-server.ts'
import { elapsedMs, errorOf, type Scenario, storeOf } from './world.ts'

/** For the thorough tests: these look at the clock, and one at rejections that nobody handles. */
export const deadlines: Record<string, Scenario> = {
  '429 and 503 are repeated after the time that Retry-After names, in seconds or as a date': world =>
    withServer(
      [
        failure(429, 'rate_limited', { 'Retry-After': '1' }),
        failure(503, 'unavailable', { 'Retry-After': new Date(Date.now() + 2500).toUTCString() }),
        ok('[]'),
      ],
      async server => {
        const took = await elapsedMs(async () => storeOf(world, { baseUrl: server.baseUrl }).pets.list())
        assert.equal(server.asked.length, 3)
        const [first, second] = server.asked
        assert.ok(first && second && second.at - first.at >= 1000)
        assert.ok(took >= 1400 && took < 10_000, `took ${took} ms`)
      },
    ),

  'waits grow, and the retries end': world =>
    withServer([failure(503, 'unavailable')], async server => {
      const error = await errorOf(storeOf(world, { baseUrl: server.baseUrl, maxRetries: 3 }).pets.list())
      assert.equal(error.code, 'unavailable')
      const times = server.asked.map(({ at }) => at)
      const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0))
      assert.equal(waits.length, 3)
      // Half of the wait is random, so that callers do not all retry at once.
      for (const [index, least] of [125, 250, 500].entries()) assert.ok((waits[index] ?? 0) >= least - 5)
    }),

  'an attempt without an answer, or with half of one, is ended and repeated': world =>
    withServer([silence, halfAnAnswer, ok('[]')], async server => {
      const took = await elapsedMs(async () =>
        storeOf(world, { baseUrl: server.baseUrl, attemptTimeoutMs: 500 }).pets.list(),
      )
      assert.equal(server.asked.length, 3)
      assert.ok(took >= 900 && took < 8000, `took ${took} ms`)
    }),

  'a call ends at its overall deadline': world =>
    withServer([silence], async server => {
      const { pets } = storeOf(world, { baseUrl: server.baseUrl, timeoutMs: 500 })
      let error: unknown
      const took = await elapsedMs(async () => {
        error = await errorOf(pets.list())
      })
      assert.ok(error instanceof world.client.TimeoutError)
      assert.equal(error.code, 'timeout')
      assert.ok(took >= 450 && took < 5000, `took ${took} ms`)
    }),

  'the options of a call win over those of the client': world =>
    withServer([silence], async server => {
      let attempts = 0
      const counted = (input: string, init?: RequestInit): Promise<Response> => {
        attempts++
        return fetch(input, init)
      }
      const { pets } = storeOf(world, { baseUrl: server.baseUrl, fetch: counted })
      const error = await errorOf(
        pets.list({}, { attemptTimeoutMs: 100, maxRetries: 1, timeoutMs: undefined }),
      )
      assert.equal(error.code, 'timeout')
      assert.equal(attempts, 2)
    }),

  'an endless deadline is no deadline': world =>
    withServer([ok('[]')], async server => {
      const patient = { attemptTimeoutMs: Number.POSITIVE_INFINITY, timeoutMs: Number.POSITIVE_INFINITY }
      await storeOf(world, { baseUrl: server.baseUrl, ...patient }).pets.list()
      assert.equal(server.asked.length, 1)
    }),

  'a signal ends a call at once: before it, during an attempt and during a wait': async world => {
    const reason = new Error('changed my mind')
    for (const line of [silence, halfAnAnswer, failure(503, 'unavailable', { 'Retry-After': '30' })])
      await withServer([line], async server => {
        const controller = new AbortController()
        const { pets } = storeOf(world, { baseUrl: server.baseUrl })
        const looking = setInterval(() => {
          if (server.asked.length === 0) return
          clearInterval(looking)
          setTimeout(() => controller.abort(reason), 150)
        }, 10)
        const took = await elapsedMs(async () => {
          const error = await errorOf(pets.list({}, { signal: controller.signal }))
          assert.ok(error instanceof world.client.AbortedError)
          assert.equal(error.cause, reason)
        })
        assert.ok(took < 5000, `took ${took} ms`)
        assert.equal((await errorOf(pets.list({}, { signal: controller.signal }))).code, 'aborted')
        assert.equal(server.asked.length, 1)
      })
  },

  'deadline and abort hold with a fetch that listens to neither': async world => {
    const fetch = () => new Promise<Response>(() => {})
    const { pets } = storeOf(world, { fetch, maxRetries: 0, timeoutMs: 200 })
    assert.equal((await errorOf(pets.list())).code, 'timeout')
    const body = new ReadableStream()
    const endless = storeOf(world, { fetch: async () => new Response(body), maxRetries: 0, timeoutMs: 200 })
    assert.equal((await errorOf(endless.pets.list())).code, 'timeout')
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const patient = storeOf(world, { fetch })
    const error = await errorOf(patient.pets.list({}, { signal: controller.signal }))
    assert.deepEqual([error.code, error.name], ['aborted', 'AbortError'])
  },

  '1,000 calls on one signal raise no warning of a leak, and all end with it': async world => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const controller = new AbortController()
    const { pets } = storeOf(world, { fetch: () => new Promise<Response>(() => {}) })
    const calls = Array.from({ length: 1000 }, () => errorOf(pets.list({}, { signal: controller.signal })))
    await new Promise(resolve => setTimeout(resolve, 10))
    controller.abort()
    for (const { code } of await Promise.all(calls)) assert.equal(code, 'aborted')
    await new Promise(resolve => setImmediate(resolve))
    process.off('warning', note)
    assert.deepEqual(warnings, [])
  },

  'a signal ends an iteration': async world => {
    const controller = new AbortController()
    const error = await errorOf(
      (async () => {
        for await (const _pet of storeOf(world).pets.list(
          { status: 'pending' },
          { signal: controller.signal },
        ))
          controller.abort()
      })(),
    )
    assert.equal(error.code, 'aborted')
  },

  'an ignored failure is as loud as that of any promise, and one that was seen is not': async world => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const { pets } = storeOf(world, { maxRetries: 0 })
    await errorOf(pets.create({ name: '', categoryId: 1 }).withResponse())
    await pets.get(2n ** 62n).catch(error => (error as PetstoreError).code)
    await pause(20)
    assert.deepEqual(unhandled, [])
    void pets.create({ name: '', categoryId: 1 })
    await new Promise<void>(resolve => {
      const look = setInterval(() => {
        if (unhandled.length === 0) return
        clearInterval(look)
        resolve()
      }, 5)
    })
    process.off('unhandledRejection', note)
  },
}
