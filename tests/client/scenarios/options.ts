import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { PetstoreOptions, RequestOptions } from '../../../client/src/index.ts'
import { failure, ok, REQUEST_ID, scripted } from './scripted.ts'
import { API_KEY, countingFetch, errorOf, NEW_PET, type Scenarios, storeOf } from './world.ts'

export const options: Scenarios = {
  'an option that cannot be right is refused by its name': async world => {
    const { origin, host } = new URL(world.baseUrl)
    const users = [`http://me:secret@${host}/v1`, `http://me@${host}/v1`]
    const addresses = ['nowhere', '/v1', 'ftp://127.0.0.1/v1', `${world.baseUrl}?a=b`, ...users]
    const wrong: Record<string, unknown[]> = {
      timeoutMs: [Number.NaN, '5s', 0, -1, null],
      attemptTimeoutMs: [Number.NaN, '5s', 0, -1, null],
      maxRetries: [Number.NaN, -1, '3', null],
      int64: ['float'],
      baseUrl: [...addresses, `${world.baseUrl}#a`, origin, `${origin}/v2`, `${origin}/v1/pets`, '', null],
    }
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        assert.throws(
          () => storeOf(world, { [name]: value } as PetstoreOptions),
          (error: Error) => error instanceof TypeError && error.message.startsWith(name),
          `${name} ${value}`,
        )
  },

  'an option of a call that cannot be right is refused before anything is sent': async world => {
    const { asked, fetch } = countingFetch()
    const { pets } = storeOf(world, { fetch })
    for (const wrong of [{ timeoutMs: Number.NaN }, { maxRetries: '1' }] as unknown as RequestOptions[])
      assert.ok((await errorOf(pets.list({}, wrong))) instanceof TypeError)
    for (const idempotencyKey of [null, '', 7, 'k'.repeat(256), 'é', 'a\nb'] as unknown as string[])
      assert.match((await errorOf(pets.create(NEW_PET, { idempotencyKey }))).message, /^idempotencyKey must/)
    assert.equal(asked.length, 0)
    const longest = '!~'.padEnd(255, 'k')
    assert.equal((await pets.create(NEW_PET, { idempotencyKey: longest })).name, 'Rex')
    assert.ok((await pets.create(NEW_PET, { idempotencyKey: longest }).withResponse()).replayed)
  },

  'key and address come from the environment when they are not given': async world => {
    const addressOf = () => new world.client.Petstore().baseUrl
    const message = 'The API key is missing: pass apiKey or set PETSTORE_API_KEY.'
    assert.throws(addressOf, { name: 'TypeError', message })
    process.env.PETSTORE_API_KEY = API_KEY
    try {
      assert.throws(addressOf, /baseUrl or PETSTORE_BASE_URL must/)
      process.env.PETSTORE_BASE_URL = 'https://pets.example.org/v1/'
      assert.equal(addressOf(), 'https://pets.example.org/v1')
    } finally {
      delete process.env.PETSTORE_BASE_URL
      delete process.env.PETSTORE_API_KEY
    }
  },

  'a client made from another differs by the options that are given': async world => {
    const { baseUrl, asked } = await scripted(ok('[]'))
    const store = storeOf(world, { baseUrl, headers: { 'X-Team': 'a' }, maxRetries: 0 })
    const other = store.withOptions({ int64: 'string', apiKey: API_KEY })
    await other.pets.list()
    assert.deepEqual([other.baseUrl, other.int64, store.int64], [baseUrl, 'string', 'bigint'])
    const { 'x-team': team, authorization } = asked[0]?.headers ?? {}
    assert.deepEqual([team, authorization], ['a', `Bearer ${API_KEY}`])
  },

  'a call that is over cancels its request, and one without a deadline waits for its response':
    async world => {
      const endings: (AbortSignal | null | undefined)[] = []
      const never = (_url: string, { signal }: RequestInit) => {
        endings.push(signal)
        return new Promise<Response>(() => {})
      }
      // Longer than the test may take.
      const long = { attemptTimeoutMs: 3_600_000, timeoutMs: 3_600_000, maxRetries: 1 }
      const { pets } = storeOf(world, { fetch: never, ...long })
      for (const [limit, attempt] of Object.entries({ timeoutMs: 1, attemptTimeoutMs: 2 })) {
        const error = await errorOf(pets.list({}, { [limit]: 1 }))
        assert.ok(error instanceof world.client.TimeoutError && error.code === 'timeout' && error.retryable)
        const message = `TimeoutError: No response from ${world.baseUrl} within ${limit} (1), attempt ${attempt}.`
        assert.equal(`${error}`, message)
        assert.ok(endings.at(-1)?.aborted)
      }
      assert.equal(endings.length, 3)
      const later = (url: string, init: RequestInit) => pause(20).then(() => fetch(url, init))
      await storeOf(world, { fetch: later, attemptTimeoutMs: Infinity, timeoutMs: Infinity }).pets.list()
    },

  'headers of the client and of a call are sent, in any form, and the version is told': async world => {
    const { baseUrl, asked } = await scripted(ok('[]'))
    const { pets } = storeOf(world, { baseUrl, headers: new Headers({ 'X-Team': 'a', 'X-Trace': '1' }) })
    await pets.list()
    const own = { 'x-trace': '2', 'User-Agent': 'mine', Authorization: 'no', 'X-Team': undefined }
    await pets.list({}, { headers: own })
    await pets.list({}, { headers: [['X-Trace', '3']] })
    for (const [index, { headers }] of asked.entries()) {
      const sent = [headers['x-team'], headers['x-trace'], headers.authorization, headers.accept]
      assert.deepEqual(sent, ['a', `${index + 1}`, `Bearer ${world.apiKey}`, 'application/json'])
    }
    assert.match(asked[0]?.headers['user-agent'] ?? '', /^petstore-client\/\d+\.\d+\.\d+$/)
    assert.equal(asked[1]?.headers['user-agent'], 'mine')
  },

  'a deprecated operation is told of once, to the hook or on the console, for a client and those made from it':
    async world => {
      const { warn } = console
      const warnings: string[] = []
      console.warn = (text: string) => warnings.push(text)
      try {
        const store = storeOf(world, { onDeprecated: undefined })
        await store.pets.list()
        for (const { pets } of [store, store, store.withOptions({ timeoutMs: 5000 })])
          await errorOf(pets.get(2n ** 62n))
        const onDeprecated = (told: object) => warnings.push(JSON.stringify(told))
        await errorOf(storeOf(world, { onDeprecated }).pets.get(2n ** 62n))
      } finally {
        console.warn = warn
      }
      assert.deepEqual(warnings, [
        'petstore: getPet is deprecated and scheduled for removal on 2030-12-05',
        '{"operation":"getPet","since":"2026-11-14T00:00:00.000Z","sunset":"2030-12-05T00:00:00.000Z"}',
      ])
    },

  'withResponse gives status, headers, request id, ETag and rate limit of the same request': async world => {
    const { baseUrl, asked } = await scripted(
      failure(503, 'unavailable'),
      ok('[]', { 'Idempotent-Replayed': 'true', ETag: '"one"', RateLimit: '"a;r=1, b";t=30; r=0,x;r=9' }),
    )
    const list = storeOf(world, { baseUrl }).pets.list()
    const { data, headers, ...info } = await list.withResponse()
    const rateLimit = { remaining: 0, resetMs: 30_000 }
    const ofBoth = { requestId: REQUEST_ID, etag: '"one"', rateLimit, replayed: true }
    assert.deepEqual(info, { status: 200, attempts: 2, ...ofBoth })
    assert.equal(headers.get('x-request-id'), REQUEST_ID)
    assert.equal((await list).items, data.items)
    assert.equal(asked.length, 2)
  },
}
