import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { added, failure, REQUEST_ID, scripted } from './scripted.ts'
import { API_KEY, errorOf, NEW_PET, type Scenarios, storeOf } from './world.ts'

export const hooks: Scenarios = {
  'hooks and debug tell of each request, response and repeat; hooks not of the key, and debug of no header, body or key':
    async world => {
      const { baseUrl } = await scripted(failure(503, 'unavailable'), added)
      const told: string[] = []
      const names: string[] = []
      const lines: string[] = []
      const log = (line: string) => lines.push(line.replace(/\d+ ms/, 'n ms'))
      const headers = { Authorization: 'Bearer mine', 'X-Secret': 'hidden' }
      const options = { baseUrl, apiKey: API_KEY, debug: true, headers }
      const secret = { name: 'hidden', categoryId: 7 }
      await storeOf(world, {
        ...options,
        logger: { warn: assert.fail, error: assert.fail, debug: log },
        onRequest: event => {
          told.push(`request ${event.operation} ${event.attempt} ${event.method} ${event.url}`)
          names.push(...event.headers.keys())
        },
        onResponse: event => told.push(`response ${event.attempt} ${event.status} ${event.requestId}`),
        onRetry: ({ attempt, error, waitMs }) =>
          told.push(`retry ${attempt} ${error.code} ${waitMs >= 125 && waitMs <= 250}`),
      }).pets.create(secret, { idempotencyKey: 'hidden' })
      assert.deepEqual(told, [
        `request createPet 1 POST ${baseUrl}/pets`,
        `response 1 503 ${REQUEST_ID}`,
        'retry 1 unavailable true',
        `request createPet 2 POST ${baseUrl}/pets`,
        `response 2 201 ${REQUEST_ID}`,
      ])
      assert.ok(names.includes('idempotency-key') && !names.includes('authorization'))
      assert.deepEqual(lines, [
        `petstore: createPet, attempt 1: POST ${baseUrl}/pets`,
        `petstore: createPet, attempt 1: 503 in n ms, request id ${REQUEST_ID}`,
        'petstore: createPet, attempt 1: unavailable, retry in n ms',
        `petstore: createPet, attempt 2: POST ${baseUrl}/pets`,
        `petstore: createPet, attempt 2: 201 in n ms, request id ${REQUEST_ID}`,
      ])
      lines.length = 0
      const plain = storeOf(world, { ...options, logger: { warn: log, error: assert.fail } })
      await plain.request('POST', '/pets', { query: { key: API_KEY }, body: secret })
      assert.equal(lines.length, 2)
      assert.ok(!lines.join().includes('hidden') && !lines.join().includes(API_KEY), lines.join())
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
      const owners = new Set<unknown>()
      async function hook(this: unknown, event: { attempt: number; headers: Headers }) {
        owners.add(this)
        await pause(1)
        kept.push(event.headers)
        event.headers.set('traceparent', `00-${event.attempt}`)
        if (event.attempt === 1) event.headers.set('x-first', 'yes')
        event.headers.set('authorization', 'Bearer other')
        event.headers.set('idempotency-key', 'other')
      }
      const idempotencyKey = 'mine'
      await storeOf(world, { baseUrl, onRequest: hook }).pets.create(NEW_PET, { idempotencyKey })
      for (const [index, { headers }] of asked.entries()) {
        const { traceparent, 'x-first': first, authorization, 'idempotency-key': key } = headers
        const expected = [`00-${index + 1}`, index ? undefined : 'yes', `Bearer ${world.apiKey}`, 'mine']
        assert.deepEqual([traceparent, first, authorization, key], expected)
      }
      assert.equal(asked.length, 2)
      assert.deepEqual([...owners], [undefined])
      for (const headers of kept) assert.equal(headers.get('authorization'), 'Bearer other')
      const never = () => new Promise(() => {})
      const { pets } = storeOf(world, { onRequest: never, timeoutMs: 20 })
      assert.equal((await errorOf(pets.list())).code, 'timeout')
    },
}
