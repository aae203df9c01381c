import { int64OfLiteral } from './int64.ts'

/** Anything that JSON.parse could round: fractions, exponents, and integers of 16 digits or more. */
const MAY_ROUND = /\d[.eE]|\d{16}/

/**
 * JSON.parse without rounding: where a number could lose a digit, an int64 becomes a bigint and every other number NaN,
 * which no schema accepts. The plain parser is six times as fast, so the careful one runs only where it matters.
 */
export function parseExactJson(text: string): unknown {
  return MAY_ROUND.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text)
}

function exactNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (int64OfLiteral(context?.source ?? '') ?? Number.NaN) : value
}
