import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { PetstoreOptions, RequestOptions } from '../../../client/src/index.ts'
import { answer, failure, html, ok, REQUEST_ID, withServer } from './scripted-server.ts'
import { API_KEY, countingFetch, errorOf, NEW_PET, type Scenario, storeOf } from './world.ts'

const PET = '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}'

/** Invalid animals, each with one error. */
const NO_PETS = [
  PET.replace('1', '"1"'),
  PET.replace('1', '1.5'),
  PET.replace('1', '9223372036854775808'),
  PET.replace('"Rex"', 'null'),
  PET.replace('7', '{}'),
]

export const belief: Record<string, Scenario> = {
  'a 2xx that is not of the promised shape is told from one that is': async world => {
    const lists = ['{}', '7', 'null', '"[]"', `[${PET},1]`, ...NO_PETS.map(pet => `[${PET},${pet}]`)]
    const pets = ['[]', '7', 'null', '{}', `[${PET}]`, ...NO_PETS]
    const wrong = [
      ...lists.map(body => ({ operation: 'list', body })),
      ...pets.map(body => ({ operation: 'create', body })),
    ]
    for (const { operation, body } of wrong)
      await withServer([ok(body)], async ({ baseUrl, asked }) => {
        const store = storeOf(world, { baseUrl })
        const error = await errorOf(operation === 'list' ? store.pets.list() : store.pets.create(NEW_PET))
        assert.ok(error instanceof world.client.UnexpectedAnswerError, body)
        assert.deepEqual([error.status, error.body, error.requestId], [200, body, REQUEST_ID])
        assert.equal(error.headers?.get('content-type'), 'application/json')
        assert.equal(asked.length, 1)
      })
  },

  'an unexpected answer is shown: status, headers, where it points, and how its body begins': async world => {
    await withServer([html(302, { Location: '/login' })], async ({ baseUrl, asked }) => {
      const error = await errorOf(storeOf(world, { baseUrl }).pets.list())
      assert.ok(error instanceof world.client.UnexpectedAnswerError)
      assert.deepEqual([error.status, error.location, error.body], [302, '/login', '<html>'])
      assert.equal(asked.length, 1)
    })
    await withServer([answer(404, 'x'.repeat(100_000))], async ({ baseUrl }) => {
      const error = await errorOf(storeOf(world, { baseUrl }).pets.list())
      assert.ok(error instanceof world.client.UnexpectedAnswerError)
      assert.equal(error.body?.length, 500)
    })
  },

  'every animal that the contract permits is read: no status, another one, fields of a later release':
    world =>
      withServer(
        [
          ok(PET.replace(',"status":"sold"', '')),
          ok(PET.replace('sold', 'reserved')),
          ok(PET.replace('}', ',"age":9007199254740993}')),
          ok(`[${PET.replace(',"status":"sold"', '')},${PET.replace('sold', 'reserved')}]`),
        ],
        async ({ baseUrl }) => {
          const { pets } = storeOf(world, { baseUrl })
          assert.deepEqual(await pets.get(1), { id: 1n, name: 'Rex', categoryId: 7n })
          assert.equal((await pets.get(1)).status, 'reserved')
          assert.deepEqual(await pets.get(1), {
            ...{ id: 1n, name: 'Rex', categoryId: 7n, status: 'sold' },
            age: 9007199254740993n,
          })
          assert.deepEqual(
            (await pets.list()).items.map(({ status }) => status),
            [undefined, 'reserved'],
          )
        },
      ),

  'a path that is not there is not an animal that is not there': async world => {
    const baseUrl = world.baseUrl.replace('/v1', '/elsewhere/v1')
    const error = await errorOf(storeOf(world, { baseUrl }).pets.get(1))
    assert.equal(error.code, 'route_not_found')
    assert.ok(!(error instanceof world.client.NotFoundError))
    assert.match(error.message, /baseUrl/)
  },

  'an option that cannot be right is refused by its name': async world => {
    const refused = (options: object, name: string) =>
      assert.throws(
        () => storeOf(world, options as PetstoreOptions),
        (error: Error) => error instanceof TypeError && error.message.startsWith(name),
        inspect(options),
      )
    for (const value of [Number.NaN, '5s', 0, -1, null]) {
      refused({ timeoutMs: value }, 'timeoutMs')
      refused({ attemptTimeoutMs: value }, 'attemptTimeoutMs')
    }
    for (const value of [Number.NaN, -1, '3', null]) refused({ maxRetries: value }, 'maxRetries')
    refused({ int64: 'float' }, 'int64')
    refused({ environment: 'test' }, 'environment')
    refused({ logLevel: 'loud' }, 'logLevel')
    const { origin, host } = new URL(world.baseUrl)
    for (const baseUrl of [
      'nowhere',
      '/v1',
      'ftp://127.0.0.1/v1',
      `http://me:secret@${host}/v1`,
      `${world.baseUrl}?a=b`,
      `${world.baseUrl}#a`,
      origin,
      `${origin}/`,
      `${origin}/v2`,
      `${origin}/v1/pets`,
      '',
      null,
    ])
      refused({ baseUrl }, 'baseUrl')
    assert.equal(storeOf(world, { baseUrl: `${world.baseUrl}//` }).baseUrl, world.baseUrl)
  },

  'an option of a call that cannot be right is refused before anything is sent': async world => {
    const { asked, fetch } = countingFetch()
    const { pets } = storeOf(world, { fetch })
    for (const options of [{ timeoutMs: Number.NaN }, { maxRetries: '1' }] as unknown as RequestOptions[])
      assert.ok((await errorOf(pets.list({}, options))) instanceof TypeError)
    for (const idempotencyKey of [null, '', 7, 'k'.repeat(256), 'é', 'a\nb'] as unknown as string[])
      assert.match((await errorOf(pets.create(NEW_PET, { idempotencyKey }))).message, /^idempotencyKey must/)
    assert.equal(asked.length, 0)
  },

  'whatever a fetch throws or returns instead of a response is a failed connection, and is repeated':
    async world => {
      const failures: (() => unknown)[] = [
        () => (undefined as unknown as { a: string }).a,
        () => JSON.parse('{'),
        () => undefined,
        () => {
          throw new TypeError('Failed to fetch')
        },
        () => {
          throw 'a string'
        },
      ]
      for (const fail of failures) {
        let calls = 0
        const fetch = async () => (calls++ === 0 ? (fail() as Response) : new Response('[]'))
        await storeOf(world, { fetch }).pets.list()
        assert.equal(calls, 2)
        calls = 0
        const error = await errorOf(storeOf(world, { fetch, maxRetries: 0 }).pets.create(NEW_PET))
        assert.ok(error instanceof world.client.ConnectionError, inspect(error))
        assert.ok(error.cause && error.idempotencyKey && error.retryable)
      }
    },

  'a key that an answer repeats is struck out of its error': async world => {
    const echo = `You sent ${API_KEY}.`
    const lines = [
      answer(401, JSON.stringify({ code: 'invalid_api_key', message: echo, status: 401 })),
      answer(400, `${'x'.repeat(490)}${API_KEY}`),
      html(302, { Location: `/login?key=${API_KEY}` }),
      ok(`"${API_KEY}"`),
      answer(200, API_KEY),
      failure(500, `code ${API_KEY}`),
    ]
    for (const line of lines)
      await withServer([line], async ({ baseUrl }) => {
        const error = await errorOf(storeOf(world, { baseUrl, apiKey: API_KEY, maxRetries: 0 }).pets.list())
        const text = inspect(error, { depth: 20 }) + error.stack + JSON.stringify(error)
        assert.ok(!text.includes(API_KEY.slice(0, 14)), text)
      })
  },
}
