import { expect, test } from 'bun:test'
import { couldBeKey, keyFingerprint, keyIn, visibleHint } from './api-key.ts'

const KEY = 'pets_live_0123456789abcdef'

test.each([
  KEY,
  ` ${KEY}\n`,
  `Bearer ${KEY}`,
  `bearer  ${KEY}`,
  `Authorization: Bearer ${KEY}`,
  `AUTHORIZATION : BEARER ${KEY}`,
  `"${KEY}"`,
  `'${KEY}',`,
  `“${KEY}”`,
  `‘${KEY}’;`,
  `\`${KEY}\``,
  `"Authorization: Bearer ${KEY}"`,
  `Authorization: Bearer ${KEY}"`,
  `"Bearer ${KEY}"`,
])('%j holds the key', pasted => expect(keyIn(pasted)).toBe(KEY))

test('nothing holds no key', () => expect(['', ' ', '""', 'Bearer '].map(keyIn)).toEqual(['', '', '', '']))

test('what is within a key stays, so that it is refused', () =>
  expect(['a b', 'pets_"x"_y', 'bearer'].map(keyIn)).toEqual(['a b', 'pets_"x"_y', 'bearer']))

test.each([
  [KEY, 'pets_live_0123…'],
  ['pets_test_0123456789abcdef', 'pets_test_0123…'],
  // Short keys and those of another form would be shown in whole or in a large part.
  ['pets_live_012', ''],
  ['an-operator-chose-this', ''],
  ['not-pets_live_0123456789', ''],
])('of %p the header shows %p', (key, hint) => expect(visibleHint(key)).toBe(hint))

test('only the beginning of a long text is looked at', () =>
  expect(keyIn('x'.repeat(5000))).toHaveLength(4096))

test('a key can be sent if it has visible ASCII characters only', () =>
  expect([KEY, '', 'a b', 'é', 'a\n'].map(couldBeKey)).toEqual([true, false, false, false, false]))

test('two keys have different fingerprints, which are short and the same each time', () => {
  expect(keyFingerprint(KEY)).toBe(keyFingerprint(KEY))
  const others = [`${KEY}0`, KEY.slice(0, -1), KEY.replace('live_0', 'live_1'), KEY.replace('01', '10')]
  for (const other of others) expect(keyFingerprint(other)).not.toBe(keyFingerprint(KEY))
  expect(keyFingerprint(KEY)).toMatch(/^[\da-f]{1,4}$/)
})
