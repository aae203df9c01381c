import { parseExactJson } from '../contract/exact-json.ts'
import { TooDeep } from '../contract/outline.ts'
import { INT64_FIELDS, NewPet } from '../contract/pet.ts'
import { problemsOf } from '../contract/validate.ts'

/** One animal of a file, or why it is invalid, with the number of its first line. */
export type Entry =
  | { readonly line: number; readonly pet: NewPet }
  | { readonly line: number; readonly problem: string }

/** The contract's own validation: the same rules as for requests. */
export function entryOf(line: number, value: unknown): Entry {
  const result = NewPet.safeParse(value)
  return result.success ? { line, pet: result.data } : { line, problem: problemsOf(result.error).join('; ') }
}

export function entryOfJson(line: number, text: string): Entry {
  let value: unknown
  try {
    value = parseExactJson(text, INT64_FIELDS)
  } catch (cause) {
    return { line, problem: cause instanceof TooDeep ? cause.message : 'it is not JSON' }
  }
  return entryOf(line, value)
}
