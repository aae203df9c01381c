import { PET_FIELDS } from './pet.ts'

interface JsonField {
  readonly name: string
  readonly isInt64: boolean
  /** The name as in JSON, with its colon. */
  readonly key: string
}

const jsonField = (name: string, isInt64 = false): JsonField => ({
  name,
  isInt64,
  key: `${JSON.stringify(name)}:`,
})

const KNOWN = PET_FIELDS.map(({ name, kind }) => jsonField(name, kind === 'int64'))

/** Renders an animal as JSON with exact int64s. JSON.stringify is slower and does not support bigints. */
export function petToJson(pet: object, fields: readonly JsonField[] = KNOWN): string {
  let json = ''
  for (const { name, isInt64, key } of fields) {
    const value = pet[name as keyof typeof pet] as unknown
    let text: string | undefined
    if (typeof value === 'bigint') text = String(value)
    else if (isInt64 && value !== undefined) text = decimal(value, name)
    else text = JSON.stringify(value)
    // JSON.stringify returns undefined for a value that JSON cannot represent, such as a function.
    if (text !== undefined) json += (json === '' ? '' : ',') + key + text
  }
  return `{${json}}`
}

/** The same for any object: uses its `toJSON`, and keeps fields that this release does not know. */
export function anyPetToJson(pet: object): string {
  const { toJSON } = pet as { readonly toJSON?: unknown }
  const plain: object = typeof toJSON === 'function' ? toJSON.call(pet) : pet
  const others = Object.keys(plain).filter(name => !KNOWN.some(field => field.name === name))
  return petToJson(plain, [...KNOWN, ...others.map(name => jsonField(name))])
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
