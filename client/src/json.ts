const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
/** Of thousands of digits a bigint would take time by the square of their number; such a one is no int64 anyway. */
const LONG_INTEGER = /^-?\d{16,99}$/

/**
 * JSON.parse without rounding, also on runtimes whose reviver does not see the source text: integers long enough to be
 * rounded become bigints, by way of an object that wraps them. Strings are matched only to be left alone.
 */
export function parseJson(text: string): unknown {
  // First, since only in valid JSON does every string end: TOKEN would start over at each quote of one that does not.
  const value: unknown = JSON.parse(text)
  if (!/\d{16}/.test(text)) return value
  const wrapped = text.replace(TOKEN, token => (LONG_INTEGER.test(token) ? `{"":"${token}"}` : token))
  return JSON.parse(wrapped, unwrap)
}

function unwrap(_name: string, value: unknown): unknown {
  const digits = (value as { '': unknown } | null)?.['']
  return typeof digits === 'string' && LONG_INTEGER.test(digits) ? BigInt(digits) : value
}
