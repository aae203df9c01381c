import { int64OfLiteral } from './int64.ts'
import { MAX_JSON_VALUES } from './limits.ts'
import { parse, rawJSON } from './raw-json.ts'

/** JSON with more values than any animal needs. Parsing all of them would hold up other requests. */
export class TooManyValues extends Error {
  override readonly name = 'TooManyValues'
  override readonly message = `it has more than ${MAX_JSON_VALUES} values`
}

/** Anything that JSON.parse could round: fractions, exponents, and integers of 16 digits or more. */
const MAY_ROUND = /\d[.eE]|\d{16}/

/**
 * JSON.parse without rounding: a literal that could lose a digit becomes a bigint if it denotes an int64. If it does not, but
 * JSON.parse would round it to an integer, it becomes NaN, which no field accepts.
 */
export function parseExactJson(text: string): unknown {
  // A value and its separator are at least two characters, so short input needs no counting.
  if (text.length > 2 * MAX_JSON_VALUES && hasTooManyValues(text)) throw new TooManyValues()
  if (!MAY_ROUND.test(text)) return JSON.parse(text)
  return parse(text, (_name, value, { source = '' }) => {
    if (typeof value !== 'number' || !MAY_ROUND.test(source)) return value
    return int64OfLiteral(source) ?? (Number.isInteger(value) ? Number.NaN : value)
  })
}

/** A comma, the beginning of an array or object that is not empty, or a string, which hides all three. */
const COUNTED = /,|[[{](?!\s*[\]}])|"[^"\\]*(?:\\.[^"\\]*)*"?/gs

/** Counts without parsing, which would take far longer. Each value but the root follows a comma or a bracket. */
function hasTooManyValues(text: string): boolean {
  let [values, tokens] = [1, 0]
  for (const [token] of text.matchAll(COUNTED)) {
    if (!token.startsWith('"')) values++
    // JSON has at most two strings and two other tokens for each value.
    if (values > MAX_JSON_VALUES || ++tokens > 4 * MAX_JSON_VALUES) return true
  }
  return false
}

/** For JSON.stringify: writes a bigint with all its digits. */
export const exactNumber = (value: unknown): unknown =>
  typeof value === 'bigint' ? rawJSON(String(value)) : value
