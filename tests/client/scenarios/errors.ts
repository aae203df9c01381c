import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { ErrorCode, PetstoreOptions } from '../../../client/src/index.ts'
import { ERRORS } from '../../../src/contract/errors.ts'
import { provoke } from './provoked-errors.ts'
import { failure, REQUEST_ID, withServer } from './scripted-server.ts'
import { API_KEY, errorOf, NEW_PET, type Scenario, storeOf, type World } from './world.ts'

const CLASS_BY_STATUS: Record<number, keyof World['client']> = {
  400: 'InvalidRequestError',
  401: 'AuthenticationError',
  404: 'RouteNotFoundError',
  405: 'InvalidRequestError',
  409: 'ConflictError',
  410: 'InvalidRequestError',
  413: 'InvalidRequestError',
  415: 'InvalidRequestError',
  412: 'InvalidRequestError',
  422: 'ConflictError',
  429: 'RateLimitError',
  500: 'ServerError',
  503: 'UnavailableError',
}

export const errors: Record<string, Scenario> = {
  'every error that the service can be brought to has its code, class, status and request id':
    async world => {
      const store = (options?: PetstoreOptions) => storeOf(world, { maxRetries: 0, ...options })
      for (const [code, fail] of Object.entries(provoke))
        assertIs(world, await errorOf(fail(store)), code as ErrorCode)
      const elsewhere = store({ baseUrl: world.baseUrl.replace('/v1', '/nowhere/v1') })
      assertIs(world, await errorOf(elsewhere.pets.list()), 'route_not_found')
    },

  'every error code of the contract arrives as its class': async world => {
    for (const [code, { status }] of Object.entries(ERRORS))
      await withServer([failure(status, code)], async ({ baseUrl }) => {
        const error = await errorOf(storeOf(world, { baseUrl, maxRetries: 0 }).pets.list())
        assertIs(world, error, code as ErrorCode)
        assert.ok(error.message.startsWith(`Scripted ${code}.`))
        assert.equal(error.requestId, REQUEST_ID)
      })
  },

  'an Error body is an ApiError by its status, whatever the status and the code': async world => {
    const { client } = world
    for (const [status, type] of [
      [402, client.ApiError],
      [403, client.ApiError],
      [451, client.ApiError],
      [404, client.RouteNotFoundError],
      [500, client.ServerError],
      [507, client.ServerError],
    ] as const)
      await withServer([failure(status, 'of_a_later_release')], async ({ baseUrl }) => {
        const error = await errorOf(storeOf(world, { baseUrl, maxRetries: 0 }).pets.list())
        assert.ok(error instanceof client.ApiError)
        assert.deepEqual([error.constructor, error.code, error.status], [type, 'of_a_later_release', status])
      })
  },

  'instanceof tells the kinds apart, also from a class of the caller': async world => {
    const { ApiError, NotFoundError, PetstoreError, TimeoutError } = world.client
    class OwnError extends PetstoreError {}
    const error = await errorOf(storeOf(world).pets.get(2n ** 62n))
    const kinds = [PetstoreError, ApiError, NotFoundError, TimeoutError, OwnError]
    assert.deepEqual(
      kinds.map(kind => error instanceof kind),
      [true, true, true, false, false],
    )
    assert.ok(new OwnError('own', 'Own.') instanceof OwnError)
    for (const value of [undefined, null, 'text', {}, new Error()])
      assert.ok(!(value instanceof PetstoreError))
  },

  'a server that cannot be reached is a connection error with its cause': async world => {
    const error = await errorOf(
      storeOf(world, { baseUrl: 'http://127.0.0.1:1/v1', maxRetries: 1 }).pets.list(),
    )
    assert.ok(error instanceof world.client.ConnectionError)
    assert.equal(error.status, undefined)
    assert.ok(error.cause instanceof Error)
    assert.match(error.message, /127\.0\.0\.1:1\/v1/)
  },

  'an error names its class in its stack, and prints only what it knows': async world => {
    const error = await errorOf(storeOf(world).pets.get(2n ** 62n))
    // JavaScriptCore starts the stack of every error with Error.
    const text = process.versions.bun ? String(error) : (error.stack ?? '')
    assert.match(text, /^NotFoundError: There is no animal/)
    const printed = inspect(error)
    assert.ok(printed.length < 4000 && !printed.includes('undefined'), printed)
    assert.equal(error.constructor.name, 'NotFoundError')
    const store = inspect(storeOf(world, { int64: 'string' }))
    assert.ok(
      store.startsWith('Petstore') && store.includes(world.baseUrl) && store.includes('string'),
      store,
    )
  },

  'the API key is in no text that the client or its errors can turn into': async world => {
    const store = storeOf(world, { baseUrl: 'http://127.0.0.1:1/v1', apiKey: API_KEY, maxRetries: 0 })
    const refused = await errorOf(storeOf(world, { apiKey: API_KEY }).pets.list())
    const unreachable = await errorOf(store.pets.create(NEW_PET))
    const list = store.pets.list()
    for (const value of [store, store.pets, list, refused, unreachable]) {
      const texts = [inspect(value, { depth: 20, showHidden: true }), String(value), JSON.stringify(value)]
      for (const text of texts) assert.ok(!text.includes(API_KEY), text)
    }
    for (const apiKey of [`${API_KEY}\n`, `${API_KEY} `, `${API_KEY}é`])
      assert.throws(
        () => storeOf(world, { apiKey }),
        (error: Error) => !inspect(error).includes(API_KEY),
      )
  },
}

function assertIs(
  world: World,
  error: Error & { code?: string; status?: number | undefined; requestId?: string | undefined },
  code: ErrorCode,
) {
  const { status } = ERRORS[code]
  const name = code === 'pet_not_found' ? 'NotFoundError' : (CLASS_BY_STATUS[status] ?? '')
  assert.deepEqual({ name: error.name, code: error.code, status: error.status }, { name, code, status })
  assert.ok(error instanceof world.client[name as 'PetstoreError'])
  assert.ok(error instanceof world.client.PetstoreError)
  assert.ok(error.requestId)
}
