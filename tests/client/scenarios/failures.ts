import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { ERRORS } from '../../../src/contract/errors.ts'
import { added, answer, cutShort, failure, html, type Line, ok, REQUEST_ID, scripted } from './scripted.ts'
import { API_KEY, errorOf, NEW_PET, type Scenarios, storeOf, type World } from './world.ts'

const CLASS_BY_STATUS: Record<number, keyof World['client']> = {
  401: 'AuthenticationError',
  404: 'RouteNotFoundError',
  409: 'ConflictError',
  422: 'ConflictError',
  429: 'RateLimitError',
  500: 'ServerError',
  507: 'ServerError',
  503: 'UnavailableError',
}

const CLASS_BY_CODE: Record<string, keyof World['client']> = {
  pet_not_found: 'NotFoundError',
  outcome_unknown: 'OutcomeUnknownError',
}

const LATER = [402, 403, 404, 503, 507].map(status => ['of_a_later_release', { status }] as const)
const PAST = { 'Retry-After': 'Thu, 01 Jan 1970 00:00:00 GMT' }

export const failures: Scenarios = {
  'an Error body is an ApiError by its status, with its code, also one of a later release': async world => {
    for (const [code, { status }] of [...Object.entries(ERRORS), ...LATER]) {
      const { baseUrl } = await scripted(failure(status, code, PAST))
      const error = await errorOf(storeOf(world, { baseUrl, maxRetries: 0 }).pets.list())
      const name = CLASS_BY_CODE[code] ?? CLASS_BY_STATUS[status] ?? 'InvalidRequestError'
      assert.equal(error.name, name)
      assert.deepEqual([error.code, error.status, error.requestId], [code, status, REQUEST_ID])
      const { ApiError, TimeoutError, [name as 'ApiError']: type } = world.client
      class OwnError extends type {}
      assert.ok(error instanceof type && error instanceof ApiError)
      assert.ok(!(error instanceof TimeoutError || error instanceof OwnError))
      assert.ok(error.message.startsWith(`Scripted ${code}.`) && error.headers && !error.retryAfterMs)
    }
    const baseUrl = world.baseUrl.replace('/v1', '/elsewhere/v1')
    const { name, message } = await errorOf(storeOf(world, { baseUrl }).pets.get(1))
    assert.match(`${name}: ${message}`, /^RouteNotFoundError: .*baseUrl/)
  },

  'the API key is in no text that the client or its errors can turn into, even if a response repeats it':
    async world => {
      const away = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: API_KEY, maxRetries: 0 }
      const store = storeOf(world, away)
      const unreachable = await errorOf(store.pets.create(NEW_PET))
      assert.ok(unreachable instanceof world.client.ConnectionError && unreachable.cause instanceof Error)
      const values: unknown[] = [store, store.pets, unreachable]
      for (const line of [
        answer(401, `{"code":"invalid_api_key","message":"You sent ${API_KEY}.","status":401}`),
        answer(400, `${'x'.repeat(480)}${API_KEY}`),
        html(302, { Location: `/login?key=${API_KEY}` }),
        ok(`"${API_KEY}"`),
        failure(500, `code ${API_KEY}`),
      ]) {
        const { baseUrl } = await scripted(line)
        values.push(await errorOf(storeOf(world, { ...away, baseUrl }).pets.list()))
      }
      for (const [place, value] of values.entries()) {
        // The headers of a response are its own; they are hidden from a plain print.
        const printed = inspect(value, { depth: 20, showHidden: place < 3 })
        for (const text of [printed, String(value), JSON.stringify(value)])
          assert.ok(!text.includes(API_KEY.slice(0, 14)), text)
      }
      for (const apiKey of [`${API_KEY}\n`, `${API_KEY} `, `${API_KEY}é`])
        assert.throws(
          () => storeOf(world, { apiKey }),
          (error: Error) => !inspect(error).includes(API_KEY),
        )
    },

  'every passing trouble is repeated, a create with a key of its own, and a broken 2xx too': async world => {
    const statuses = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524].map(status => html(status))
    const broken = [answer(201, '{"id":1,"na'), answer(201, ''), html(201), cutShort]
    const keys = new Set<unknown>()
    const coded = [failure(409, 'idempotency_in_progress'), failure(503, 'outcome_unknown')]
    const troubles = [...statuses, ...broken, ...coded]
    const passes = async (trouble: Line) => {
      const { baseUrl, asked } = await scripted(trouble, added)
      assert.equal((await storeOf(world, { baseUrl }).pets.create(NEW_PET)).id, 1n)
      const [first, second] = asked.map(({ headers }) => headers['idempotency-key'])
      assert.ok(first && first === second && asked.length === 2, `${asked.length} requests`)
      keys.add(first)
    }
    await Promise.all(troubles.map(passes))
    assert.equal(keys.size, troubles.length)
  },

  'what a repeat cannot fix, or must wait for too long, is not repeated, and its error carries the key that makes a repeat safe':
    async world => {
      const once = async (line: Line, options = {}) => {
        const { baseUrl, asked } = await scripted(line)
        const error = await errorOf(storeOf(world, { baseUrl, ...options }).pets.create(NEW_PET))
        assert.equal(asked.length, 1)
        assert.ok(error.idempotencyKey && error.idempotencyKey === asked[0]?.headers['idempotency-key'])
        return error
      }
      const final = [400, 401, 404, 422, 501, 505, 519, 525].map(status => failure(status, 'scripted'))
      for (const line of [ok('[]'), ...final]) assert.equal((await once(line)).retryable, false)
      const late = (value: string) => failure(503, 'unavailable', { 'Retry-After': value })
      assert.equal((await once(late('3600'))).retryAfterMs, 3_600_000)
      const farAway = ['99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT']
      for (const [value, ms] of [['61', 61_000] as const, ...farAway.map(far => [far, 86_400_000] as const)])
        assert.equal((await once(late(value), { timeoutMs: Infinity })).retryAfterMs, ms)
      const inNinety = await once(late(new Date(Date.now() + 90_000).toUTCString()), { timeoutMs: Infinity })
      assert.ok(Math.abs(Number(inNinety.retryAfterMs) - 90_000) < 20_000)
      assert.equal((await once(late('30'), { timeoutMs: 20_000 })).code, 'unavailable')
      const aborted = await errorOf(storeOf(world).pets.create(NEW_PET, { signal: AbortSignal.abort() }))
      assert.ok(aborted.name === 'AbortError' && aborted.idempotencyKey && aborted.outcomeUnknown === false)
    },

  'an error says whether its attempt or an earlier one may have added the animal': async world => {
    const lost = failure(503, 'outcome_unknown')
    const refused = failure(401, 'invalid_api_key')
    const cases: [outcomeUnknown: boolean, ...Line[]][] = [
      [false, html(302)],
      [false, failure(503, 'unavailable'), refused],
      [true, lost, refused],
      [true, html(500), failure(429, 'rate_limited', { 'Retry-After': '99' })],
      [true, failure(409, 'idempotency_in_progress'), refused],
      [true, answer(201, '{"id":1,"na'), refused],
      [true, failure(503, 'unavailable'), ok('[]')],
      [true, cutShort, refused],
    ]
    const outcome = async ([expected, ...lines]: (typeof cases)[number]) => {
      const { baseUrl } = await scripted(...lines)
      const { outcomeUnknown } = await errorOf(storeOf(world, { baseUrl }).pets.create(NEW_PET))
      assert.equal(outcomeUnknown, expected)
    }
    await Promise.all(cases.map(outcome))
    const { baseUrl } = await scripted(refused)
    assert.equal((await errorOf(storeOf(world, { baseUrl }).pets.list())).outcomeUnknown, undefined)
    const closed = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH']
    for (const code of [...closed, 'CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']) {
      // As Node wraps it.
      const cause = Object.assign(new Error('connect'), { code })
      const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
      const away = await errorOf(storeOf(world, { fetch, maxRetries: 0 }).pets.create(NEW_PET))
      const told = [away.outcomeUnknown, away.retryable, away.message.includes(code)]
      assert.deepEqual(told, [false, closed.includes(code), true])
    }
  },

  'whatever a fetch throws or returns instead of a response is a failed connection, and is repeated':
    async world => {
      const faults: (() => unknown)[] = [() => JSON.parse('{'), () => {}, () => Promise.reject('a string')]
      for (const fail of faults) {
        let calls = 0
        const fetch = async () => (calls++ === 0 ? ((await fail()) as Response) : new Response('[]'))
        await storeOf(world, { fetch, maxRetries: 1 }).pets.list()
        assert.equal(calls, 2)
        calls = 0
        const error = await errorOf(storeOf(world, { fetch, maxRetries: 0 }).pets.create(NEW_PET))
        assert.match(`${error}`, /^ConnectionError: .* failed\.$/)
        assert.ok(error.cause && error.idempotencyKey && error.retryable)
      }
    },
}
