import { afterEach, beforeEach, expect, test } from 'bun:test'
import { h } from 'preact'
import { closePage, draw, openPage } from '../../../tests/support/console.ts'
import { FailureDetails, reasonOf } from './failure.tsx'

beforeEach(() => openPage())
afterEach(closePage)

test.each([
  ['This API key was revoked.', 'this API key was revoked'],
  ['A name is missing.', 'a name is missing'],
  ['API keys are not accepted here.', 'API keys are not accepted here'],
])('at the end of a sentence, the message %j reads: %s', (message, reason) =>
  expect(reasonOf({ code: 'a_later_code', message })).toBe(reason),
)

test('the details of a failure have its message, its code and, if it has one, the ID of the request', () => {
  const details = (requestId?: string) => {
    const failure = { message: 'Later.', code: 'unavailable', requestId }
    draw(h(FailureDetails, { failure: failure as never }))
    return document.body.textContent
  }
  expect(details('r-1')).toBe('DetailsLater.Code unavailable · request ID r-1')
  expect(details()).toBe('DetailsLater.Code unavailable')
})
