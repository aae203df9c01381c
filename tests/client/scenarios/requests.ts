import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { added, answer, failure, html, ok, REQUEST_ID, scripted } from './scripted.ts'
import { countingFetch, elapsedMs, errorOf, NEW_PET, type Scenarios, storeOf } from './world.ts'

const OUTSIDE =
  `/../openapi.json /pets/../../openapi.json /.. /. /%2e%2E/openapi.json /.%2e?a=b /..%2fopenapi.json
  //elsewhere.test/v1/pets /pets//1 pets .evil.test/pets @evil.test/pets http://elsewhere.test/v1/pets
  /..%5copenapi.json /..\\openapi.json \\..\\openapi.json /pets#fragment /pets?limit=1#fragment`.split(/\s+/)
const BLANKS = ['/.\t./openapi.json', '/.\n./openapi.json', '/.. ', '/..\0', '']

export const requests: Scenarios = {
  'a request to any path has the key, the retries and the errors of the client': async world => {
    const store = storeOf(world, { maxRetries: 0 })
    const body = world.client.stringifyPet({ name: 'Raw', categoryId: 2n ** 63n - 1n })
    const created = await store.request<{ categoryId: bigint }>('POST', '/pets', { body })
    assert.equal(created.categoryId, 2n ** 63n - 1n)
    const listed = await store.request('get', '/pets', { query: { limit: 1 } }).withResponse()
    assert.deepEqual([(listed.data as unknown[]).length, listed.status, listed.replayed], [1, 200, false])
    const { code, message } = await errorOf(store.request('GET', '/orders'))
    assert.ok(code === 'route_not_found' && !message.includes('baseUrl'), message)
    const { baseUrl, asked } = await scripted(failure(503, 'unavailable'), failure(503, 'unavailable'), added)
    const other = store.withOptions({ baseUrl, maxRetries: 3 })
    for (const method of ['POST', 'patch'])
      assert.equal((await errorOf(other.request(method, '/pets', { body }))).code, 'unavailable')
    assert.equal(asked.length, 2)
    await other.request('POST', '/pets', { body: NEW_PET, idempotencyKey: 'mine' })
    assert.equal(asked[2]?.headers['idempotency-key'], 'mine')
  },

  'a response without a body is complete if the method or the status says so, and is asked for once':
    async world => {
      for (const method of ['HEAD', 'DELETE'])
        for (const status of [204, 205, 304, ...(method === 'HEAD' ? [200] : [])]) {
          const { baseUrl, asked } = await scripted(answer(status, ''))
          const call = storeOf(world, { baseUrl }).request(method, '/pets')
          const { data, requestId } = await call.withResponse()
          assert.deepEqual([data, requestId, asked.length], [undefined, REQUEST_ID, 1])
        }
    },

  'a request to any path that was answered is not repeated, and a HEAD that failed is an error':
    async world => {
      for (const line of [ok(''), html(200), ok('{"id":1')]) {
        const { baseUrl, asked } = await scripted(line)
        const error = await errorOf(storeOf(world, { baseUrl }).request('PUT', '/pets'))
        assert.deepEqual([error.code, error.retryable, asked.length], ['unexpected_answer', false, 1])
      }
      assert.match((await errorOf(storeOf(world).request('HEAD', '/orders'))).message, /404: it has no body/)
    },

  'a path that would leave the base URL, and a method or body that cannot be sent, are refused before anything is sent':
    async world => {
      const { asked, fetch } = countingFetch()
      const store = storeOf(world, { fetch })
      for (const path of [...OUTSIDE, ...BLANKS]) {
        const error = await errorOf(store.request('GET', path))
        assert.ok(error instanceof TypeError && error.message.startsWith('path must'), `${path}: ${error}`)
      }
      for (const method of ['GE T', '', 'É', 'connect', 'TRACE', 'TRACK'])
        assert.match((await errorOf(store.request(method, '/pets'))).message, /^method must/)
      for (const method of ['get', 'HEAD'])
        assert.match((await errorOf(store.request(method, '/pets', { body: NEW_PET }))).message, /^body must/)
      assert.equal(asked.length, 0)
      for (const path of ['/pets?limit=1&x=/../y', '/pets?cursor=..%2f', '/%70ets'])
        await store.request('GET', path).catch(() => {})
      await store.request('GET', '/pets?limit=1', { query: { status: 'pending' } })
      assert.deepEqual([asked.length, asked[3]], [4, `${world.baseUrl}/pets?limit=1&status=pending`])
    },

  'every failure of a call is a rejection, never thrown, and nothing of it fails later': async world => {
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
      () => store.pets.get(nothing).withResponse(),
      () => store.pets.get(1, nothing),
      () => store.pets.list(nothing),
      () => store.pets.list(nothing).toArray(),
      () => store.pets.list({}, { signal: 'no signal' as never, attemptTimeoutMs: 1 }),
    ]
    for (const call of calls) assert.ok((await errorOf(call())) instanceof Error)
    // Longer than the timeout, whose rejection nobody would handle.
    await pause(20)
  },

  'calls and lists are promises: by instanceof, in races and groups, and by every method': async world => {
    const store = storeOf(world)
    const { pets } = store
    const make = [() => pets.create(NEW_PET), () => pets.list(), () => store.request('GET', '/pets')]
    for (const call of make) {
      const promise = call()
      assert.ok(promise instanceof Promise && Object.prototype.toString.call(promise) === '[object Promise]')
      assert.equal(Object.getPrototypeOf(promise.then()), Promise.prototype)
      const data = await promise
      const native = new Promise(resolve => Promise.prototype.then.call(promise, resolve))
      for (const same of await Promise.all([Promise.race([promise]), promise.finally(), native]))
        assert.equal(same, data)
      assert.equal((await promise.withResponse()).data, data)
    }
  },

  'a call makes five attempts in a minute, waits longer before each, and leaves no timer': async world => {
    const { setTimeout, clearTimeout } = globalThis
    const { random } = Math
    const delays: number[] = []
    let ended = 0
    const ours = new AsyncLocalStorage<boolean>()
    // Every second timer of a call is a wait between attempts, which ends immediately here.
    const start = (run: () => void, ms: number) =>
      setTimeout(run, ours.getStore() && delays.push(ms) % 2 === 0 ? 0 : ms)
    const end = (timer: NodeJS.Timeout) => {
      if (ours.getStore()) ended++
      clearTimeout(timer)
    }
    const delaysOf = async (after: string, options: Parameters<typeof storeOf>[1]) => {
      const fetch = async () => new Response('', { status: 503, headers: { 'Retry-After': after } })
      const { pets } = storeOf(world, { fetch, ...options })
      await ours.run(true, () => errorOf(pets.list({}, { maxRetries: undefined })))
      return delays.splice(0)
    }
    try {
      Object.assign(globalThis, { setTimeout: start, clearTimeout: end })
      Math.random = () => 0.5
      const usual = await delaysOf('0', { maxRetries: undefined })
      assert.deepEqual([usual, ended], [[10_000, 187.5, 10_000, 375, 10_000, 750, 10_000, 1500, 10_000], 9])
      const endless = { attemptTimeoutMs: Infinity, timeoutMs: Infinity }
      const waits = (await delaysOf('60', { ...endless, maxRetries: 6 })).filter(ms => ms < 2 ** 31 - 1)
      assert.deepEqual(waits, [60_187.5, 60_375, 60_750, 61_500, 63_000, 66_000])
      const [whole = 0] = await delaysOf('0', { ...endless, timeoutMs: undefined, maxRetries: 0 })
      assert.equal(Math.ceil(whole / 1000), 60)
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout })
      Math.random = random
    }
  },

  'a signal ends a wait that has begun, and the error says that nothing was added': async world => {
    const { baseUrl } = await scripted(failure(503, 'unavailable', { 'Retry-After': '59' }))
    const controller = new AbortController()
    const onRetry = () => setImmediate(() => controller.abort('enough'))
    const { pets } = storeOf(world, { baseUrl, timeoutMs: Infinity, onRetry })
    const call = pets.create(NEW_PET, { signal: controller.signal })
    // Not a judgement of speed: the wait alone is 59 seconds.
    assert.ok((await elapsedMs(() => errorOf(call))) < 30_000)
    const { code, cause, outcomeUnknown, retryable } = await errorOf(call)
    assert.deepEqual([code, cause, outcomeUnknown, retryable], ['aborted', 'enough', false, false])
  },

  'a call that ends does not unsubscribe another call from their signal': async world => {
    const controller = new AbortController()
    const { signal } = controller
    let code: string | undefined
    const endless = storeOf(world, { fetch: () => new Promise(() => {}) })
    endless.pets.list({}, { signal }).catch(error => {
      code = error.code
    })
    await storeOf(world).pets.list({}, { signal })
    controller.abort()
    await new Promise(resolve => setImmediate(resolve))
    assert.equal(code, 'aborted')
  },

  'successive calls with the same signal add only one listener to it': async world => {
    const { signal } = new AbortController()
    let listeners = 0
    const addEventListener = (...args: Parameters<AbortSignal['addEventListener']>) => {
      listeners++
      AbortSignal.prototype.addEventListener.apply(signal, args)
    }
    Object.assign(signal, { addEventListener })
    for (let n = 0; n < 3; n++) await storeOf(world).pets.list({}, { signal })
    assert.equal(listeners, 1)
  },
}
