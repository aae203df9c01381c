import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { PetstoreError } from '../../../client/src/index.ts'
import { failure, halfAnAnswer, ok, scripted, silence } from './scripted.ts'
import { elapsedMs, errorOf, NEW_PET, type Scenarios, storeOf } from './world.ts'

/** For the thorough tests: these look at the clock, and one at rejections that nobody handles. */
export const deadlines: Scenarios = {
  'an attempt without a response, or with half of one, is ended and repeated': async world => {
    const { baseUrl, asked } = await scripted(silence, halfAnAnswer, ok('[]'))
    const took = await elapsedMs(() => storeOf(world, { baseUrl, attemptTimeoutMs: 500 }).pets.list())
    assert.equal(asked.length, 3)
    assert.ok(took >= 900 && took < 8000, `took ${took} ms`)
  },

  'a signal ends a call at once: before it, during an attempt, during a wait and in an iteration':
    async world => {
      const reason = new Error('changed my mind')
      for (const line of [silence, halfAnAnswer, failure(503, 'unavailable', { 'Retry-After': '30' })]) {
        const { baseUrl, asked } = await scripted(line)
        const controller = new AbortController()
        const { signal } = controller
        const { pets } = storeOf(world, { baseUrl })
        const ended = errorOf(pets.list({}, { signal }))
        while (asked.length === 0) await pause(10)
        await pause(150)
        controller.abort(reason)
        const took = await elapsedMs(() => ended)
        assert.ok(took < 5000, `took ${took} ms`)
        const error = await ended
        assert.ok(error instanceof world.client.AbortedError && error.cause === reason)
        assert.equal((await errorOf(pets.list({}, { signal }))).code, 'aborted')
        assert.equal(asked.length, 1)
      }
      const controller = new AbortController()
      const { signal } = controller
      const iterate = async () => {
        for await (const _pet of storeOf(world).pets.list({ status: 'pending' }, { signal }))
          controller.abort()
      }
      assert.equal((await errorOf(iterate())).code, 'aborted')
    },

  '1,000 calls on one signal raise no warning of a leak, and all end with it': async world => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    const controller = new AbortController()
    const { pets } = storeOf(world, { fetch: () => new Promise<Response>(() => {}) })
    const calls = Array.from({ length: 1000 }, () => errorOf(pets.list({}, { signal: controller.signal })))
    await pause(10)
    controller.abort()
    for (const { code } of await Promise.all(calls)) assert.equal(code, 'aborted')
    await pause(1)
    process.off('warning', note)
    assert.deepEqual(warnings, [])
  },

  'an ignored failure is as loud as that of any promise, and one that was seen is not': async world => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const { pets } = storeOf(world, { maxRetries: 0 })
    await errorOf(pets.create({ ...NEW_PET, name: '' }).withResponse())
    await pets.get(2n ** 62n).catch(error => (error as PetstoreError).code)
    await pause(20)
    assert.deepEqual(unhandled, [])
    void pets.create({ ...NEW_PET, name: '' })
    while (unhandled.length === 0) await pause(5)
    process.off('unhandledRejection', note)
  },
}
