/** The types that a client can have its int64 values in. */
export interface Int64Types {
  /** Exact for every value. The default. */
  bigint: bigint
  /** Exact for every value, and fit for `JSON.stringify`; in plain decimal form. */
  string: string
  /** Exact within ±(2^53 − 1); an answer that holds a value beyond it is an `InexactNumberError`. */
  number: number
}

/** How a client gives int64 values: one type for all of them. */
export type Int64Mode = keyof Int64Types

/** What a call accepts as an int64: any type that represents it exactly. */
export type Int64Input = bigint | number | string

const MAX = 2n ** 63n

/** The int64 that a parsed JSON value is; undefined where it is none, or may have lost digits. */
export function int64Of(value: unknown): bigint | undefined {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return undefined
  const int64 = BigInt(value as bigint | number)
  return int64 >= -MAX && int64 < MAX ? int64 : undefined
}

/** Gives an int64 the type of each mode. A number that would not be exact is a RangeError. */
export const INT64_AS: { readonly [Mode in Int64Mode]: (value: bigint) => Int64Types[Mode] } = {
  bigint: value => value,
  string: String,
  number: value => {
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    throw new RangeError(`${value} is not exact as a number. Use int64: 'bigint' or 'string'.`)
  },
}

/** In plain decimal form. Refuses a number that may already have lost digits before it came here. */
export function decimal(value: Int64Input, name: string): string {
  const isExact =
    typeof value === 'string'
      ? /^(0|-?[1-9]\d{0,18})$/.test(value)
      : typeof value === 'bigint' || Number.isSafeInteger(value)
  if (isExact) return `${value}`
  throw new RangeError(`${name} is not an exact integer: pass a bigint or a string.`)
}
