import { expect, test } from 'bun:test'
import { reasonOf } from './failure.tsx'

test.each([
  ['This API key was revoked.', 'this API key was revoked'],
  ['A name is missing.', 'a name is missing'],
  ['API keys are not accepted here.', 'API keys are not accepted here'],
])('at the end of a sentence, the message %j reads: %s', (message, reason) =>
  expect(reasonOf({ code: 'a_later_code', message })).toBe(reason),
)
