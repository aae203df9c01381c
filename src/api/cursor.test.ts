import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PET_STATUSES } from '../contract/pet.ts'
import { openCursor, sealCursor } from './cursor.ts'

const cursor = fc.record({
  after: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  status: fc.constantFrom(undefined, ...PET_STATUSES),
})

describe('a cursor', () => {
  test('opens to what was sealed', () => {
    fc.assert(
      fc.property(cursor, fc.string(), (sealed, secret) => {
        expect(openCursor(sealCursor(sealed, secret), secret)).toEqual(sealed)
      }),
    )
  })

  test('is safe in a URL as it is, and has a seal of 96 bits', () => {
    fc.assert(fc.property(cursor, sealed => /^[A-Za-z0-9_-]{28}$/.test(sealCursor(sealed, 'secret'))))
  })

  test('does not open with another secret', () => {
    fc.assert(fc.property(cursor, sealed => openCursor(sealCursor(sealed, 'one'), 'other') === undefined))
  })

  test('does not open when any one bit was changed', () => {
    const sealed = sealCursor({ after: 42n, status: 'sold' }, 'secret')
    const bytes = Buffer.from(sealed, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(openCursor(changed.toString('base64url'), 'secret')).toBeUndefined()
    }
  })
})
