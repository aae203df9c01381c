import type { Int64 } from './contract.generated.ts'

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const LONG_INTEGER = /^-?\d{16,}$/

/**
 * JSON.parse without rounding, on runtimes whose reviver does not see the source text too: integers long enough to be
 * rounded are wrapped in an object first. Strings are matched only to be left alone.
 */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const wrapped = text.replace(TOKEN, token => (LONG_INTEGER.test(token) ? `{"":"${token}"}` : token))
  return JSON.parse(wrapped, unwrap)
}

function unwrap(_name: string, value: unknown): unknown {
  const digits = (value as { ''?: string } | null)?.['']
  if (digits === undefined) return value
  return Number.isSafeInteger(+digits) ? +digits : BigInt(digits)
}

/** One object as JSON, with every bigint as the number it is. */
export const toJson = (object: object): string =>
  `{${Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${jsonValue(value)}`)
    .join()}}`

const jsonValue = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'bigint' ? decimal(value) : JSON.stringify(value)

/** Refuses a number that may already have lost digits before it came here. */
export function decimal(value: Int64): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new RangeError(`${value} is not an exact integer. Beyond ±(2^53 − 1), pass a bigint.`)
  return String(value)
}
