import { expect, test } from 'bun:test'
import { ApiError, ERROR_CODES } from '../contract/errors.ts'
import { jsonHeads, representation } from './representation.ts'
import { errorDraft, Head } from './response.ts'

const CODES = {
  400: 'malformed_json invalid_body invalid_query invalid_idempotency_key malformed_request',
  401: 'missing_api_key invalid_api_key',
  404: 'pet_not_found route_not_found',
  405: 'method_not_allowed',
  409: 'idempotency_in_progress',
  410: 'operation_removed',
  412: 'precondition_failed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'idempotency_key_reused',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable outcome_unknown',
}
const ROWS = Object.entries(CODES).flatMap(([status, codes]) =>
  codes.split(' ').map(code => [code, Number(status)] as const),
)
/** The headers that not every error has. Each 405 and 429 sets its own, which depend on the request. */
const OWN_HEADERS: Partial<Record<string, object>> = {
  missing_api_key: { 'www-authenticate': 'Bearer realm="petstore"' },
  invalid_api_key: { 'www-authenticate': expect.stringContaining('error="invalid_token"') },
  idempotency_in_progress: { 'retry-after': '1' },
  unavailable: { 'retry-after': '1' },
  outcome_unknown: { 'retry-after': '1' },
}

test('every error has its status and its headers', () => {
  const seen: unknown[] = ERROR_CODES.map(code => {
    const draft = errorDraft(new ApiError(code, 'Why.'))
    const { head, body } = draft
    expect(JSON.parse(String(body))).toEqual({ code, message: 'Why.', status: head.status })
    return [code, head.status, Object.fromEntries(head.respond(draft, 'r1').headers)]
  })
  const common = { 'cache-control': 'no-store', 'content-type': 'application/json', 'x-request-id': 'r1' }
  expect(seen).toEqual(ROWS.map(([code, status]) => [code, status, { ...common, ...OWN_HEADERS[code] }]))
})

test.each(ERROR_CODES)('the default message of %s speaks of no one case', code => {
  expect(new ApiError(code).message).not.toMatch(/\b42\b|DELETE|staging/)
})

test('the challenge of a refused key holds its message', () => {
  const { head } = errorDraft(new ApiError('invalid_api_key', 'This costs $& more.'))
  expect(head.respond({ body: null }, 'r1').headers.get('www-authenticate')).toBe(
    'Bearer realm="petstore", error="invalid_token", error_description="This costs $& more."',
  )
})

test('the tag of a page is another one for each link', () => {
  const tags = [undefined, '</v1/pets?cursor=a>', '</v1/pets?cursor=b>'].map(
    link => representation(jsonHeads(), '[]', link).etag,
  )
  expect(new Set(tags).size).toBe(3)
})

test('a response has nothing of an earlier one with the same head', () => {
  const head = new Head(200, { Link: '</docs>; rel="deprecation"' })
  const first = head.respond({ body: 'one', etag: '"1"', location: '/v1/pets/1' }, 'r1')
  const second = head.respond({ body: 'two' }, 'r2')
  const third = head.respond({ body: 'three', etag: '"3"' }, 'r3')
  const seen = [first, second, third].map(({ headers }) =>
    ['x-request-id', 'etag', 'location', 'link'].map(name => headers.get(name)),
  )
  expect(seen).toEqual([
    ['r1', '"1"', '/v1/pets/1', '</docs>; rel="deprecation"'],
    ['r2', null, null, '</docs>; rel="deprecation"'],
    ['r3', '"3"', null, '</docs>; rel="deprecation"'],
  ])
})
