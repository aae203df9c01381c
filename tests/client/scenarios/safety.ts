import assert from 'node:assert/strict'
import { withCuttingProxy } from './cutting-proxy.ts'
import { added, answer, cutShort, failure, html, type Line, ok, withServer } from './scripted-server.ts'
import { errorOf, NEW_PET, type Scenario, storeOf } from './world.ts'

export const safety: Record<string, Scenario> = {
  'a create cut off after the server committed adds one animal, not two': world =>
    withCuttingProxy(world.baseUrl, 2, async proxy => {
      const name = `cut ${crypto.randomUUID()}`
      const created = await storeOf(world, { baseUrl: proxy.baseUrl }).pets.create({
        name,
        categoryId: 1,
        status: 'sold',
      })
      assert.equal(proxy.cut(), 2)
      const found = []
      for await (const pet of storeOf(world).pets.list({ status: 'sold' }))
        if (pet.name === name) found.push(pet)
      assert.deepEqual(found, [created])
    }),

  'each create has an idempotency key of its own, and its retries keep it': world =>
    withServer([failure(503, 'unavailable'), added, added], async server => {
      const { pets } = storeOf(world, { baseUrl: server.baseUrl })
      await pets.create(NEW_PET)
      await pets.create(NEW_PET)
      const [first, repeated, second] = server.asked.map(({ headers }) => headers['idempotency-key'])
      assert.ok(first)
      assert.equal(repeated, first)
      assert.notEqual(second, first)
    }),

  'a create with a key of the caller is added once across calls': async world => {
    const { pets } = storeOf(world)
    const idempotencyKey = crypto.randomUUID()
    const first = await pets.create(NEW_PET, { idempotencyKey })
    assert.deepEqual(await pets.create(NEW_PET, { idempotencyKey }), first)
  },

  'an earlier attempt still in progress, and a gateway in trouble, are waited out': world =>
    withServer([failure(409, 'idempotency_in_progress'), html(502), html(504), added], async server => {
      await storeOf(world, { baseUrl: server.baseUrl }).pets.create(NEW_PET)
      assert.equal(server.asked.length, 4)
    }),

  'a Retry-After beyond the deadline fails at once': world =>
    withServer([failure(429, 'rate_limited', { 'Retry-After': '3600' })], async server => {
      const error = await errorOf(storeOf(world, { baseUrl: server.baseUrl }).pets.list())
      assert.equal(error.code, 'rate_limited')
      assert.equal(error.retryAfterMs, 3_600_000)
      assert.equal(server.asked.length, 1)
    }),

  'what a repeat cannot fix is not repeated': async world => {
    for (const status of [400, 401, 404, 422])
      await withServer([failure(status, 'scripted')], async server => {
        const error = await errorOf(storeOf(world, { baseUrl: server.baseUrl }).pets.create(NEW_PET))
        assert.equal(error.retryable, false)
        assert.equal(server.asked.length, 1)
      })
  },

  'every passing trouble is repeated, a create with its key, and a broken 2xx too': async world => {
    const troubles = [408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524].map(status => html(status))
    const broken = [answer(201, '{"id":1,"na'), answer(201, ''), html(201), cutShort]
    const passes = (trouble: Line) =>
      withServer([trouble, added], async ({ baseUrl, asked }) => {
        const created = await storeOf(world, { baseUrl }).pets.create(NEW_PET)
        assert.equal(created.id, 1n)
        const [first, second] = asked.map(({ headers }) => headers['idempotency-key'])
        assert.ok(first && first === second && asked.length === 2, `${asked.length} requests`)
      })
    await Promise.all([...troubles, ...broken].map(passes))
  },

  'every error of a create carries the key that makes a repeat safe': async world => {
    const fails = [
      ...[400, 401, 409, 413, 415, 422, 429, 500, 503].map(status => failure(status, 'scripted')),
      html(200),
      ok('[]'),
      cutShort,
    ]
    for (const fail of fails)
      await withServer([fail], async ({ baseUrl, asked }) => {
        const { pets } = storeOf(world, { baseUrl, maxRetries: 0 })
        const error = await errorOf(pets.create(NEW_PET))
        assert.ok(error.idempotencyKey)
        assert.equal(error.idempotencyKey, asked[0]?.headers['idempotency-key'])
      })
    const { pets } = storeOf(world, { baseUrl: 'http://127.0.0.1:1/v1', maxRetries: 0 })
    assert.ok((await errorOf(pets.create(NEW_PET))).idempotencyKey)
    const aborted = await errorOf(pets.create(NEW_PET, { signal: AbortSignal.abort() }))
    assert.ok(aborted.idempotencyKey)
  },

  'a create that failed after the commit is repeated by hand with the key of its error, and adds one animal':
    async world => {
      const name = `by hand ${crypto.randomUUID()}`
      const pet = { name, categoryId: 1, status: 'sold' } as const
      const { pets } = storeOf(world)
      await withCuttingProxy(world.baseUrl, 1, async proxy => {
        const error = await errorOf(
          storeOf(world, { baseUrl: proxy.baseUrl, maxRetries: 0 }).pets.create(pet),
        )
        assert.equal(proxy.cut(), 1)
        await pets.create(pet, { idempotencyKey: error.idempotencyKey })
      })
      const found = (await pets.list({ status: 'sold' }).toArray()).filter(other => other.name === name)
      assert.equal(found.length, 1)
    },

  'a Retry-After without measure neither holds a call nor turns it into a storm': async world => {
    for (const value of ['99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])
      await withServer(
        [failure(503, 'unavailable', { 'Retry-After': value })],
        async ({ baseUrl, asked }) => {
          const error = await errorOf(storeOf(world, { baseUrl, timeoutMs: Infinity }).pets.list())
          assert.equal(error.retryAfterMs, 86_400_000)
          assert.equal(asked.length, 1)
        },
      )
  },
}
