import { problemsOf } from '../contract/errors.ts'
import { parseExactJson, TooManyValues } from '../contract/json.ts'
import { NewPet } from '../contract/pet.ts'

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
    value = parseExactJson(text)
  } catch (cause) {
    return { line, problem: cause instanceof TooManyValues ? cause.message : 'it is not JSON' }
  }
  return entryOf(line, value)
}
