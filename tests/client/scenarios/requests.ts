import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { PetstoreError } from '../../../client/src/index.ts'
import {
  API_KEY,
  added,
  answer,
  countingFetch,
  errorOf,
  failure,
  html,
  NEW_PET,
  ok,
  REQUEST_ID,
  type Scenarios,
  scripted,
  storeOf,
} from './world.ts'

const OUTSIDE = [
  '/../openapi.json',
  '/pets/../../openapi.json',
  '/..',
  '/.',
  '/%2e%2E/openapi.json',
  '/.%2e?a=b',
  '/..%2fopenapi.json',
  '/..%5copenapi.json',
  '/..\\openapi.json',
  '\\..\\openapi.json',
  '/.\t./openapi.json',
  '/.\n./openapi.json',
  '/.. ',
  '/..\0',
  '/pets#fragment',
  '/pets?limit=1#fragment',
  '//elsewhere.test/v1/pets',
  '/pets//1',
  'pets',
  '.evil.test/pets',
  '@evil.test/pets',
  'http://elsewhere.test/v1/pets',
  '',
]

/** Requests to any path, and who else sees or changes a request. */
export const requests: Scenarios = {
  'a request to any path has the key, the retries and the errors of the client': async world => {
    const store = storeOf(world, { maxRetries: 0 })
    const body = world.client.stringifyPet({ name: 'Raw', categoryId: 2n ** 63n - 1n })
    const created = await store.request<{ categoryId: bigint }>('POST', '/pets', { body })
    assert.equal(created.categoryId, 2n ** 63n - 1n)
    const { data, status } = await store.request('get', '/pets', { query: { limit: 1 } }).withResponse()
    assert.deepEqual([(data as unknown[]).length, status], [1, 200])
    assert.equal((await errorOf(store.request('GET', '/orders'))).code, 'route_not_found')
    const { baseUrl, asked } = await scripted(failure(503, 'unavailable'), added)
    const other = store.withOptions({ baseUrl, maxRetries: 3 })
    assert.equal((await errorOf(other.request('POST', '/pets', { body }))).code, 'unavailable')
    assert.equal(asked.length, 1)
    await other.request('POST', '/pets', { body: NEW_PET, idempotencyKey: 'mine' })
    assert.equal(asked[1]?.headers['idempotency-key'], 'mine')
  },

  'a response without a body is complete if the method or the status says so, and is asked for once':
    async world => {
      for (const method of ['HEAD', 'DELETE'])
        for (const line of [
          answer(204, ''),
          answer(205, ''),
          answer(304, ''),
          ...(method === 'HEAD' ? [ok('')] : []),
        ]) {
          const { baseUrl, asked } = await scripted(line)
          const { data, requestId } = await storeOf(world, { baseUrl })
            .request(method, '/pets')
            .withResponse()
          assert.deepEqual([data, requestId, asked.length], [undefined, REQUEST_ID, 1])
        }
      const { status, etag } = await storeOf(world).request('HEAD', '/pets').withResponse()
      assert.deepEqual([status, typeof etag], [200, 'string'])
    },

  'a request to any path that was answered is not repeated, and a HEAD that failed is an error':
    async world => {
      for (const line of [ok(''), html(200), ok('{"id":1')]) {
        const { baseUrl, asked } = await scripted(line)
        const error = await errorOf(storeOf(world, { baseUrl }).request('PUT', '/pets'))
        assert.deepEqual([error.code, error.retryable, asked.length], ['unexpected_answer', false, 1])
      }
      assert.equal((await errorOf(storeOf(world).request('HEAD', '/orders'))).status, 404)
    },

  'a path that would leave the base URL is refused before anything is sent': async world => {
    const { asked, fetch } = countingFetch()
    const store = storeOf(world, { fetch })
    for (const path of OUTSIDE) {
      const error = await errorOf(store.request('GET', path))
      assert.ok(error instanceof TypeError && error.message.startsWith('path must'), `${path}: ${error}`)
    }
    assert.equal(asked.length, 0)
    for (const path of ['/pets?limit=1&x=/../y', '/pets?cursor=..%2f', '/%70ets'])
      await store.request('GET', path).catch(() => {})
    assert.equal(asked.length, 3)
  },

  'a GET or HEAD with a body is refused immediately, and not taken for a lost connection': async world => {
    const { asked, fetch } = countingFetch()
    const store = storeOf(world, { fetch })
    for (const method of ['get', 'HEAD'])
      assert.match((await errorOf(store.request(method, '/pets', { body: NEW_PET }))).message, /^body must/)
    assert.equal(asked.length, 0)
  },

  'the query of the options is added to that of the path': async world => {
    const { asked, fetch } = countingFetch()
    await storeOf(world, { fetch }).request('GET', '/pets?limit=1', { query: { status: 'pending' } })
    assert.equal(asked[0], `${world.baseUrl}/pets?limit=1&status=pending`)
  },

  'every failure of a call is a rejection, never thrown': async world => {
    const store = storeOf(world)
    const nothing = null as never
    const calls = [
      () => store.request('POST', '/pets', { body: { a: 1n } }),
      () => store.request(nothing, '/pets'),
      () => store.request('GET', nothing),
      () => store.request('GET', '/pets', nothing),
      () => store.pets.create(nothing),
      () => store.pets.create(NEW_PET, nothing),
      () => store.pets.create(NEW_PET, { headers: { 'not a name': 'x' } }),
      () => store.pets.get(nothing),
      () => store.pets.get(1, nothing),
      () => store.pets.list(nothing),
      () => store.pets.list(nothing).toArray(),
      () => store.pets.list({}, { signal: 'no signal' as never }),
    ]
    for (const call of calls) {
      const promise = call()
      assert.ok((await errorOf(promise)) instanceof Error)
    }
  },

  'calls and lists are promises: by instanceof, in races and groups, and with every method': async world => {
    const store = storeOf(world)
    const { pets } = store
    const make = [() => pets.create(NEW_PET), () => pets.list(), () => store.request('GET', '/pets')]
    for (const call of make) {
      const promise = call()
      assert.ok(promise instanceof Promise && Object.prototype.toString.call(promise) === '[object Promise]')
      assert.equal(Object.getPrototypeOf(promise.then()), Promise.prototype)
      const data = await promise
      const others = [
        Promise.race([promise]),
        Promise.any([promise]),
        Promise.resolve(promise),
        promise.finally(),
      ]
      for (const same of await Promise.all(others)) assert.equal(same, data)
      const native = await new Promise(resolve => Promise.prototype.then.call(promise, resolve))
      assert.equal(native, data)
      assert.equal((await promise.withResponse()).data, data)
      const [settled] = await Promise.allSettled([call()])
      assert.equal(settled?.status, 'fulfilled')
    }
    assert.equal(
      await pets.get(2n ** 62n).then(
        () => '',
        error => (error as PetstoreError).code,
      ),
      'pet_not_found',
    )
  },

  'hooks are told of each request, response and repeat, and never of the key': async world => {
    const { baseUrl } = await scripted(failure(503, 'unavailable'), added)
    const told: string[] = []
    const headers: string[] = []
    await storeOf(world, {
      baseUrl,
      headers: { Authorization: 'Bearer mine' },
      onRequest: event => {
        told.push(`request ${event.operation} ${event.attempt} ${event.method} ${event.url}`)
        headers.push(...event.headers.keys())
      },
      onResponse: event => told.push(`response ${event.attempt} ${event.status} ${event.requestId}`),
      onRetry: event => told.push(`retry ${event.attempt} ${event.error.code} ${event.waitMs > 0}`),
    }).pets.create(NEW_PET)
    assert.deepEqual(told, [
      `request createPet 1 POST ${baseUrl}/pets`,
      `response 1 503 ${REQUEST_ID}`,
      'retry 1 unavailable true',
      `request createPet 2 POST ${baseUrl}/pets`,
      `response 2 201 ${REQUEST_ID}`,
    ])
    assert.ok(headers.includes('idempotency-key') && !headers.includes('authorization'))
  },

  'a hook that throws, at once or later, fails no call and is reported': async world => {
    const errors: string[] = []
    const fail = () => {
      throw new Error('a fault in a hook')
    }
    const logger = { warn: fail, error: (text: string) => errors.push(text) }
    const { pets } = storeOf(world, { onRequest: fail, onResponse: async () => fail(), logger })
    await pets.create(NEW_PET)
    await storeOf(world, { onRequest: fail, logger: { warn: fail, error: fail } }).pets.list()
    await pause(1)
    assert.deepEqual(errors.sort(), ['petstore: onRequest threw', 'petstore: onResponse threw'])
  },

  'a hook changes the headers of its attempt, waits for what it needs, and never gets hold of the key':
    async world => {
      const { baseUrl, asked } = await scripted(failure(503, 'unavailable'), added)
      const kept: Headers[] = []
      const hook = async (event: { attempt: number; headers: Headers }) => {
        await pause(1)
        kept.push(event.headers)
        event.headers.set('traceparent', `00-${event.attempt}`)
        if (event.attempt === 1) event.headers.set('x-first', 'yes')
        event.headers.set('authorization', 'Bearer other')
        event.headers.set('idempotency-key', 'other')
      }
      const idempotencyKey = 'mine'
      await storeOf(world, { baseUrl, onRequest: hook }).pets.create(NEW_PET, { idempotencyKey })
      const sent = asked.map(({ headers }) => [
        headers.traceparent,
        headers['x-first'],
        headers.authorization,
        headers['idempotency-key'],
      ])
      const bearer = `Bearer ${world.apiKey}`
      assert.deepEqual(sent, [
        ['00-1', 'yes', bearer, 'mine'],
        ['00-2', undefined, bearer, 'mine'],
      ])
      for (const headers of kept) assert.equal(headers.get('authorization'), 'Bearer other')
      const never = () => new Promise(() => {})
      const { pets } = storeOf(world, { onRequest: never, timeoutMs: 20 })
      assert.equal((await errorOf(pets.list())).code, 'timeout')
    },

  'debug tells of each request, response and retry, and of no header, body or key': async world => {
    const { baseUrl } = await scripted(failure(503, 'unavailable'), added)
    const lines: string[] = []
    const log = (line: string) => lines.push(line)
    const options = { baseUrl, apiKey: API_KEY, debug: true, headers: { 'X-Secret': 'hidden' } }
    const secret = { name: 'hidden', categoryId: 7 }
    await storeOf(world, {
      ...options,
      logger: { warn: assert.fail, error: assert.fail, debug: log },
    }).pets.create(secret, { idempotencyKey: 'hidden' })
    const post = `POST ${baseUrl}/pets`
    const rounded = lines.map(line => line.replace(/\d+ ms/, 'n ms'))
    assert.deepEqual(rounded, [
      `petstore: createPet, attempt 1: ${post}`,
      `petstore: createPet, attempt 1: 503 in n ms, request id ${REQUEST_ID}`,
      'petstore: createPet, attempt 1: unavailable, retry in n ms',
      `petstore: createPet, attempt 2: ${post}`,
      `petstore: createPet, attempt 2: 201 in n ms, request id ${REQUEST_ID}`,
    ])
    lines.length = 0
    const plain = storeOf(world, { ...options, logger: { warn: log, error: assert.fail } })
    await plain.request('POST', '/pets', { query: { key: API_KEY }, body: secret })
    assert.equal(lines.length, 2)
    assert.ok(!lines.join().includes('hidden') && !lines.join().includes(API_KEY), lines.join())
  },
}
