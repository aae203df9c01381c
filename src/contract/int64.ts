export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n

const CANONICAL = /^(?:0|-?[1-9]\d{0,18})$/
const NUMBER_LITERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const LONGEST_INT64 = 19

export const isInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX

/** Reads an int64 in plain decimal form, the only spelling that paths accept. */
export function parseInt64(text: string): bigint | undefined {
  if (!CANONICAL.test(text)) return undefined
  const value = BigInt(text)
  return isInt64(value) ? value : undefined
}

/** The int64 that a JSON number literal denotes: 3 for `3.0` and `3e0`, undefined for `3.5` and 2^63. */
export function int64OfLiteral(literal: string): bigint | undefined {
  const parts = NUMBER_LITERAL.exec(literal)
  if (parts === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts
  const digits = whole + fraction
  const end = endWithoutZeros(digits)
  const significant = digits.slice(0, end).replace(/^0+/, '')
  if (significant === '') return 0n
  const zeros = digits.length - end - fraction.length + Number(exponent)
  // Checked before building the number, so that `1e999999999` costs nothing.
  if (zeros < 0 || significant.length + zeros > LONGEST_INT64) return undefined
  return parseInt64(sign + significant + '0'.repeat(zeros))
}

/** Loops, because `/0+$/` starts over at every zero and would take seconds for 64 KB of them. */
function endWithoutZeros(digits: string): number {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end--
  return end
}
