import { int64OfLiteral } from './int64.ts'
import { MAX_JSON_VALUES } from './limits.ts'
import { MESSAGES } from './messages.ts'

/** JSON with more values than any animal needs; reading all of them exactly would take too long. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues'
  override readonly message = MESSAGES.tooManyValues
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown
/** TypeScript does not know the reviver's third argument and `rawJSON` yet. */
const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown
  rawJSON(text: string): unknown
}

/** Anything that JSON.parse could round: fractions, exponents, and integers of 16 digits or more. */
const MAY_ROUND = /\d[.eE]|\d{16}/

/**
 * JSON.parse without rounding: a literal that could lose a digit becomes a bigint if it denotes an int64. If it does not, but
 * JSON.parse would round it to an integer, it becomes NaN, which no field accepts.
 */
export function parseExactJson(text: string): unknown {
  // Every value takes two characters or more, so a short text needs no counting.
  if (text.length <= 2 * MAX_JSON_VALUES && !MAY_ROUND.test(text)) return JSON.parse(text)
  let values = 0
  try {
    return parse(text, (_name, value, { source = '' }) => {
      if (++values > MAX_JSON_VALUES) throw new TooManyValues()
      if (typeof value !== 'number' || !MAY_ROUND.test(source)) return value
      return int64OfLiteral(source) ?? (Number.isInteger(value) ? Number.NaN : value)
    })
  } catch (error) {
    // Nested so deep that the parser ran out of stack: that takes more values than are counted.
    throw error instanceof RangeError ? new TooManyValues() : error
  }
}

/** For JSON.stringify: a bigint is written to the last digit. */
export const exactNumber = (value: unknown): unknown =>
  typeof value === 'bigint' ? rawJSON(String(value)) : value
