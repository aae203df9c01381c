const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
/** Parsing a bigint takes quadratic time in its digits, so very long ones are skipped; they are no int64 anyway. */
const LONG_INTEGER = /^-?\d{16,99}$/

/**
 * JSON.parse without rounding, also on runtimes whose reviver does not see the source text: integers long enough to be rounded
 * are wrapped in an object, then become bigints. Strings are matched only to skip them.
 */
export function parseJson(text: string): unknown {
  // Validates first: in invalid JSON a string may not end, and TOKEN would start over at each of its quotes.
  const value: unknown = JSON.parse(text)
  if (!/\d{16}/.test(text)) return value
  const wrapped = text.replace(TOKEN, token => (LONG_INTEGER.test(token) ? `{"":"${token}"}` : token))
  return JSON.parse(wrapped, unwrap)
}

function unwrap(_name: string, value: unknown): unknown {
  const digits = (value as { '': unknown } | null)?.['']
  return typeof digits === 'string' && LONG_INTEGER.test(digits) ? BigInt(digits) : value
}
