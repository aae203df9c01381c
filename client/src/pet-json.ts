import { type NewPet, PET_FIELDS, type Pet } from './contract.generated.ts'

/** The types in which a client can return int64 values. */
export interface Int64Types {
  /** Exact for every value. The default. */
  bigint: bigint
  /** Exact for every value, in plain decimal form; works with `JSON.stringify`. */
  string: string
}

/** How a client returns int64 values: one type for all of them. */
export type Int64Mode = keyof Int64Types

/** Values that a call accepts as an int64: any type that represents it exactly. */
export type Int64Input = bigint | number | string

/** The int64 in a parsed JSON value; undefined if it is not an int64, or may have lost digits. */
function int64Of(value: unknown): bigint | undefined {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) return undefined
  const int64 = BigInt(value as bigint | number)
  return int64 === BigInt.asIntN(64, int64) ? int64 : undefined
}

/** Converts an int64 to the type of each mode. */
export const INT64_AS: { readonly [Mode in Int64Mode]: (value: bigint) => Int64Types[Mode] } = {
  bigint: value => value,
  string: String,
}

/** Formats an animal as JSON for the service. Its int64 values are numbers, exact to the last digit. */
export function stringifyPet(pet: Pet<Int64Input> | NewPet): string {
  const { toJSON } = pet as { readonly toJSON?: unknown }
  const plain: Record<string, unknown> = typeof toJSON === 'function' ? toJSON.call(pet) : pet
  const kinds: Readonly<Record<string, unknown>> = PET_FIELDS
  // Fields that this release does not know are kept.
  const members = Object.keys({ ...kinds, ...plain }).map(name => {
    const value = plain[name]
    const isInt64 = typeof value === 'bigint' || (kinds[name] === 'int64' && value !== undefined)
    const json = isInt64 ? decimal(value, name) : JSON.stringify(value)
    return json && `${JSON.stringify(name)}:${json}`
  })
  // JSON.stringify returns undefined for a value that JSON cannot represent, such as a function.
  return `{${members.filter(Boolean).join()}}`
}

/** An int64 in plain decimal form. Rejects a number that may already have lost digits. */
export function decimal(value: unknown, name: string): string {
  const isExact =
    typeof value === 'string'
      ? /^(0|-?[1-9]\d{0,18})$/.test(value)
      : typeof value === 'bigint' || Number.isSafeInteger(value)
  if (isExact) return `${value}`
  const got = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)
  throw new RangeError(
    `${name} must be an integer, as a bigint, a safe number or plain decimal digits, not ${got}.`,
  )
}

/** Parses an animal, exact to the last digit. Throws a SyntaxError if the text is not JSON, a TypeError if it is not an animal. */
export function parsePet<Mode extends Int64Mode = 'bigint'>(
  json: string,
  int64: Mode = 'bigint' as Mode,
): Pet<Int64Types[Mode]> {
  const pet = readPet(parseJson(json), int64)
  if (!pet) throw new TypeError('This is not an animal.')
  return pet
}

/** The animal in a parsed value; undefined if it is not an animal. The status may be missing, and unknown fields are kept. */
export function readPet<Mode extends Int64Mode>(
  value: unknown,
  mode: Mode,
): Pet<Int64Types[Mode]> | undefined {
  const pet = Object(value) as Pet<unknown>
  const id = int64Of(pet.id)
  const categoryId = int64Of(pet.categoryId)
  if (typeof pet.name !== 'string' || id === undefined || categoryId === undefined) return undefined
  const as = INT64_AS[mode]
  const read = { ...pet, id: as(id), categoryId: as(categoryId) }
  // Not enumerable, so that the animal equals a literal, and can be spread and cloned.
  return Object.defineProperty(read, 'toJSON', { value: toJSON })
}

/**
 * JSON.stringify passes a key, and gets each bigint as a number with all its digits; as a string if the platform has no
 * JSON.rawJSON. Others, such as `stringifyPet`, get a copy.
 */
function toJSON(this: object, key?: string): object {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown }
  const exact = (value: bigint) => {
    if (!rawJSON) return `${value}`
    // Other serialisers call toJSON too, and would print what rawJSON returns as an object.
    return Number.isSafeInteger(Number(value)) ? Number(value) : rawJSON(`${value}`)
  }
  const entries = Object.entries(this).map(([name, value]) => [
    name,
    key !== undefined && typeof value === 'bigint' ? exact(value) : value,
  ])
  return Object.fromEntries(entries)
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
/** Parsing a bigint takes quadratic time, so very long ones are skipped; they are not int64s anyway. */
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
