import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { holds } from '../../tests/support/property.ts'
import { ALPHABET, checksum } from './checksum.ts'

test('the checksum is the CRC-32 in base 62, as other programs compute it', () =>
  holds(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), text => {
      let expected = ''
      for (let rest = Bun.hash.crc32(text); expected.length < 6; rest = Math.floor(rest / 62))
        expected = ALPHABET[rest % 62] + expected
      expect(checksum(text, 6)).toBe(expected)
    }),
    1000,
  ))
