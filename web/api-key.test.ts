import { expect, test } from 'bun:test'
import { keyIn } from './api-key.ts'

const KEY = 'pets_live_0123456789abcdef'

test.each([
  KEY,
  ` ${KEY}\n`,
  `Bearer ${KEY}`,
  `bearer  ${KEY}`,
  `Authorization: Bearer ${KEY}`,
  `"${KEY}"`,
  `'${KEY}',`,
  `“${KEY}”`,
  `"Authorization: Bearer ${KEY}"`,
  `Authorization: Bearer ${KEY}"`,
  `"Bearer ${KEY}"`,
])('%j holds the key', pasted => expect(keyIn(pasted)).toBe(KEY))

test('nothing holds no key', () => expect(['', ' ', '""', 'Bearer '].map(keyIn)).toEqual(['', '', '', '']))

test('what is within a key stays, so that it is refused', () =>
  expect(['a b', 'pets_"x"_y', 'bearer'].map(keyIn)).toEqual(['a b', 'pets_"x"_y', 'bearer']))
