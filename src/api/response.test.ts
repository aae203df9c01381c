import { expect, test } from 'bun:test'
import { ApiError, ERROR_CODES, ERRORS, type ErrorKind } from '../contract/errors.ts'
import { conditional, errorDraft, jsonTemplate, representation } from './response.ts'

test.each(ERROR_CODES)('%s has the body, the status and the headers of its row', code => {
  const { status, message, headers = {} }: ErrorKind = ERRORS[code]
  const draft = errorDraft(new ApiError(code))
  expect([draft.status, draft.head.status]).toEqual([status, status])
  expect(JSON.parse(String(draft.body))).toEqual({ code, message, status })
  const fixed = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [name.toLowerCase()],
  )
  expect([...draft.head.headers.keys()].toSorted()).toEqual(
    ['cache-control', 'content-type', ...fixed].toSorted(),
  )
})

test.each(ERROR_CODES)('the default message of %s speaks of no one case', code => {
  expect(new ApiError(code).message).not.toMatch(/\b42\b|DELETE|staging/)
})

test('the challenge of a refused key holds its message', () => {
  const { head } = errorDraft(new ApiError('invalid_api_key', 'This costs $& more.'))
  expect(head.headers.get('www-authenticate')).toBe(
    'Bearer realm="petstore", error="invalid_token", error_description="This costs $& more."',
  )
})

test('a failure without a code says nothing of its cause', () => {
  const { status, body } = errorDraft(new Error('secret'))
  expect(status).toBe(500)
  expect(body).not.toContain('secret')
})

const page = representation(jsonTemplate(), '[]')
const { etag } = page
const answerTo = (ifNoneMatch?: string) =>
  conditional(new Headers(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch }), page)

test.each([etag, `W/${etag}`, `"other", ${etag}`, '*', ' * '])(
  'If-None-Match: %s is answered with 304',
  tags => expect(answerTo(tags).status).toBe(304),
)

test.each([undefined, '"other"', etag.slice(0, -1), etag.slice(1), '"*"'])(
  'If-None-Match: %s is answered with 200',
  tags => expect(answerTo(tags).status).toBe(200),
)

test('a page that gains a follower keeps its bytes but not its tag', () => {
  const followed = representation(jsonTemplate(), '[]', '</v1/pets?cursor=x>; rel="next"')
  expect(followed.body).toEqual(page.body)
  expect(followed.etag).not.toBe(etag)
})

test('a 304 has what the 200 has, but neither body nor type', () => {
  const { head, body, values } = answerTo(etag)
  expect(body).toBeNull()
  expect(values).toEqual([['ETag', etag]])
  expect(Object.fromEntries(head.headers)).toEqual({ 'cache-control': 'private, no-cache' })
})
