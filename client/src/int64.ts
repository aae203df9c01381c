/** The types in which a client can return int64 values. */
export interface Int64Types {
  /** Exact for every value. The default. */
  bigint: bigint
  /** Exact for every value, in plain decimal form; works with `JSON.stringify`. */
  string: string
  /** Exact within ±(2^53 − 1); an answer with a value outside that range is an `InexactNumberError`. */
  number: number
}

/** How a client returns int64 values: one type for all of them. */
export type Int64Mode = keyof Int64Types

/** What a call accepts as an int64: any type that represents it exactly. */
export type Int64Input = bigint | number | string

const MAX = 2n ** 63n

/** The int64 in a parsed JSON value; undefined if it is not an int64, or may have lost digits. */
export function int64Of(value: unknown): bigint | undefined {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return undefined
  const int64 = BigInt(value as bigint | number)
  return int64 >= -MAX && int64 < MAX ? int64 : undefined
}

/** Converts an int64 to the type of each mode. A number that would be inexact is a RangeError. */
export const INT64_AS: { readonly [Mode in Int64Mode]: (value: bigint) => Int64Types[Mode] } = {
  bigint: value => value,
  string: String,
  number: value => {
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    throw new RangeError(`${value} is not exact as a number. Use int64: 'bigint' or 'string'.`)
  },
}

/** Formats in plain decimal form. Rejects a number that may already have lost digits. */
export function decimal(value: Int64Input, name: string): string {
  const isExact =
    typeof value === 'string'
      ? /^(0|-?[1-9]\d{0,18})$/.test(value)
      : typeof value === 'bigint' || Number.isSafeInteger(value)
  if (isExact) return `${value}`
  throw new RangeError(`${name} is not an exact integer: pass a bigint or a string.`)
}
