import { int64OfLiteral } from './int64.ts'
import { literalsOf, mayBeTooDeep } from './outline.ts'

/** Anything that JSON.parse could round: fractions, exponents, and integers of 16 digits or more. */
const MAY_ROUND = /\d[.eE]|\d{16}/

/**
 * JSON.parse without rounding the numbers in these fields of the outermost object: where one could lose a digit, an int64
 * becomes a bigint and every other number NaN, which no schema accepts. All other numbers are read as JSON.parse reads them.
 * A reviver would do so for every number, and take 30 ms for the 30,000 that fit into a body.
 */
export function parseExactJson(text: string, fields: readonly string[]): unknown {
  const mayRound = MAY_ROUND.test(text)
  // Most bodies are small and plain, and need no second look.
  if (!mayRound && !mayBeTooDeep(text)) return JSON.parse(text)
  const literals = literalsOf(text, mayRound ? fields : [])
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? withExact(value, literals) : value
}

function withExact(value: object, literals: ReadonlyMap<string, string>): object {
  const fields = value as Record<string, unknown>
  for (const [name, literal] of literals)
    if (typeof fields[name] === 'number') fields[name] = int64OfLiteral(literal) ?? Number.NaN
  return value
}

/** For JSON.stringify: a bigint is written to the last digit. TypeScript does not know `rawJSON` yet. */
export const exactNumber = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? (JSON as JSON & { rawJSON(text: string): unknown }).rawJSON(String(value))
    : value
