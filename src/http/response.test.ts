import { expect, test } from 'bun:test'
import { ApiError, ERROR_CODES, ERRORS, type ErrorKind } from '../contract/errors.ts'
import { errorDraft, Head } from './response.ts'

test.each(ERROR_CODES)('%s has the body, the status and the headers of its row', code => {
  const { status, message, headers = {} }: ErrorKind = ERRORS[code]
  const { head, body } = errorDraft(new ApiError(code))
  const response = head.respond(body, 'r1', {})
  expect([head.status, response.status]).toEqual([status, status])
  expect(JSON.parse(String(body))).toEqual({ code, message, status })
  const fixed = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [name.toLowerCase()],
  )
  expect([...response.headers.keys()].toSorted()).toEqual(
    ['cache-control', 'content-type', 'x-request-id', ...fixed].toSorted(),
  )
})

test.each(ERROR_CODES)('the default message of %s speaks of no one case', code => {
  expect(new ApiError(code).message).not.toMatch(/\b42\b|DELETE|staging/)
})

test('the challenge of a refused key holds its message', () => {
  const { head } = errorDraft(new ApiError('invalid_api_key', 'This costs $& more.'))
  expect(head.respond(null, 'r1', {}).headers.get('www-authenticate')).toBe(
    'Bearer realm="petstore", error="invalid_token", error_description="This costs $& more."',
  )
})

test('a response has nothing of an earlier one with the same head', () => {
  const head = new Head(200, { Link: '</docs>; rel="deprecation"' })
  const first = head.respond('one', 'r1', { etag: '"1"', location: '/v1/pets/1' })
  const second = head.respond('two', 'r2', {})
  const third = head.respond('three', 'r3', { etag: '"3"' })
  const seen = [first, second, third].map(({ headers }) =>
    ['x-request-id', 'etag', 'location', 'link'].map(name => headers.get(name)),
  )
  expect(seen).toEqual([
    ['r1', '"1"', '/v1/pets/1', '</docs>; rel="deprecation"'],
    ['r2', null, null, '</docs>; rel="deprecation"'],
    ['r3', '"3"', null, '</docs>; rel="deprecation"'],
  ])
})
