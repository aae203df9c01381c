import { expect, test } from 'bun:test'
import { ApiError, ERROR_CODES, ERRORS, type ErrorKind } from '../contract/errors.ts'
import { chooseByMethod } from './endpoint.ts'
import { errorAnswer } from './errors.ts'

test.each(ERROR_CODES)('%s has the body, the status and the headers of its row', code => {
  const { status, message, headers = {} }: ErrorKind = ERRORS[code]
  const answer = errorAnswer(new ApiError(code))
  expect(answer.status).toBe(status)
  expect(JSON.parse(String(answer.body))).toEqual({ code, message, status })
  const fixed = Object.keys(headers).filter(name => headers[name as keyof typeof headers] !== null)
  expect(Object.keys(answer.headers)).toEqual(['Content-Type', 'Cache-Control', ...fixed])
})

test.each(ERROR_CODES)('the default message of %s speaks of no one case', code => {
  expect(new ApiError(code).message).not.toMatch(/\b42\b|DELETE|staging/)
})

test('the challenge of a refused key holds its message', () => {
  expect(errorAnswer(new ApiError('invalid_api_key', 'This costs $& more.')).headers).toMatchObject({
    'WWW-Authenticate':
      'Bearer realm="petstore", error="invalid_token", error_description="This costs $& more."',
  })
})

test('a failure without a code says nothing of its cause', () => {
  const { status, body } = errorAnswer(new Error('secret'))
  expect(status).toBe(500)
  expect(body).not.toContain('secret')
})

test('a 405 names the methods that are served', () => {
  const choose = (method: string) => chooseByMethod({ GET: 1, HEAD: 1 }, method)
  expect(choose('GET')).toBe(1)
  for (const method of ['POST', 'toString', '__proto__', 'get']) {
    let failure: unknown
    try {
      choose(method)
    } catch (error) {
      failure = error
    }
    expect(errorAnswer(failure)).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD' } })
  }
})
