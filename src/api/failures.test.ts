import { expect, test } from 'bun:test'
import { OutcomeUnknown, StorageUnavailable, StorageWentBack, TooManyWaiting } from '../store/errors.ts'
import { apiErrorOf } from './failures.ts'

test.each([
  ['The storage cannot respond right now.', new StorageUnavailable('away')],
  ['An operator must check it', new StorageWentBack('lost')],
  ['this may or may not have been stored. Retry with the same Idempotency-Key', new OutcomeUnknown('cut')],
  ['Too many animals are waiting', new TooManyWaiting('full')],
])('a client of a storage that fails learns: %s', (advice, error) => {
  const { code, message, cause } = apiErrorOf(error, new Request('http://x'), 'production')
  expect([code, cause]).toEqual(['unavailable', error])
  expect(message).toContain(advice)
})
