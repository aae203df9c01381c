import { expect, test } from 'bun:test'
import { OutcomeUnknown, StorageUnavailable } from '../store/errors.ts'
import { apiErrorOf } from './failures.ts'

test.each([
  [
    'unavailable',
    'The storage cannot be used: the disk is full.',
    new StorageUnavailable('away', 'disk-full'),
  ],
  ['unavailable', 'An operator must check it', new StorageUnavailable('lost', 'older-copy')],
  ['outcome_unknown', 'Retry with the same Idempotency-Key', new OutcomeUnknown('cut')],
  ['unavailable', 'it cannot keep up. Try again shortly.', new StorageUnavailable('slow', 'overloaded')],
])('a client of a storage that fails learns: %s: %s', (expected, advice, error) => {
  const create = new Request('http://x', { method: 'POST' })
  const { code, message, cause } = apiErrorOf(error, create, 'production')
  expect([`${code}`, cause]).toEqual([expected, error])
  expect(message).toContain(advice)
  // A check that writes stores no animal.
  expect(apiErrorOf(error, new Request('http://x'), 'production').code).toBe('unavailable')
})
