import { int64OfLiteral } from './int64.ts'
import { MAX_JSON_VALUES } from './limits.ts'
import { MESSAGES } from './messages.ts'

/** JSON with more values than any animal needs. Parsing all of them would hold up other requests. */
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
  // A value and its separator are at least two characters, so short input needs no counting.
  if (text.length > 2 * MAX_JSON_VALUES && countValues(text) > MAX_JSON_VALUES) throw new TooManyValues()
  if (!MAY_ROUND.test(text)) return JSON.parse(text)
  return parse(text, (_name, value, { source = '' }) => {
    if (typeof value !== 'number' || !MAY_ROUND.test(source)) return value
    return int64OfLiteral(source) ?? (Number.isInteger(value) ? Number.NaN : value)
  })
}

/**
 * Counts values without parsing: the root, one for each comma, and one for each array or object that is not empty. This takes
 * at most 0.2 ms for 64 KiB; parsing as many values as fit takes 20 times as long.
 */
function countValues(text: string): number {
  let count = 1
  let isOpened = false
  for (let at = 0; at < text.length && count <= MAX_JSON_VALUES; at++) {
    const code = text.charCodeAt(at)
    if (code <= SPACE) continue
    if (isOpened && code !== CLOSE_ARRAY && code !== CLOSE_OBJECT) count++
    if (code === COMMA) count++
    else if (code === QUOTE) at = endOfString(text, at)
    isOpened = code === OPEN_ARRAY || code === OPEN_OBJECT
  }
  return count
}

/** Searches for the quote, because that is ten times as fast as looking at each character. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}

const [SPACE, QUOTE, COMMA, BACKSLASH] = [0x20, 0x22, 0x2c, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** For JSON.stringify: writes a bigint with all its digits. */
export const exactNumber = (value: unknown): unknown =>
  typeof value === 'bigint' ? rawJSON(String(value)) : value
