import { expect, test } from 'bun:test'
import { ApiError, ERROR_CODES, ERRORS, type ErrorKind } from '../contract/errors.ts'
import { errorDraft } from './response.ts'

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
