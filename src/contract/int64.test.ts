import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { INT64_MAX, INT64_MIN, int64OfLiteral, parseInt64 } from './int64.ts'

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX })

describe('parseInt64', () => {
  test('reads every int64 in its one plain spelling', () => {
    fc.assert(fc.property(int64, value => parseInt64(String(value)) === value))
  })

  const others = '- -0 00 01 +1 1.0 1e3 0x1 1n 9223372036854775808 -9223372036854775809'.split(' ')
  test.each(['', ' 1', '1 ', ...others])('takes %p for no number', text => {
    expect(parseInt64(text)).toBeUndefined()
  })
})

describe('int64OfLiteral', () => {
  test('a literal means its value, however it is written', () => {
    fc.assert(
      fc.property(int64, fc.nat({ max: 30 }), (value, zeros) => {
        expect(int64OfLiteral(`${value}.${'0'.repeat(zeros + 1)}`)).toBe(value)
        expect(int64OfLiteral(`${value}${'0'.repeat(zeros)}e-${zeros}`)).toBe(value)
        expect(int64OfLiteral(`${value}E+0`)).toBe(value)
      }),
    )
  })

  const others = '3.5 1e-1 0.1 15e-1 1e19 9223372036854775808 -9223372036854775809 1e999999999 abc'.split(' ')
  test.each(['', ...others])('%p is no int64', literal => {
    expect(int64OfLiteral(literal)).toBeUndefined()
  })

  test.each(['0', '-0', '0.0', '0e99', '-0.000e-7'])('%p is zero', literal => {
    expect(int64OfLiteral(literal)).toBe(0n)
  })
})
