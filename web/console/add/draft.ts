import type { NewPet, PetStatus } from '../../../client/src/index.ts'
import { INT64_MAX, INT64_MIN, isInt64 } from '../../../src/contract/int64.ts'
import { NAME_MAX_LENGTH } from '../../../src/contract/limits.ts'

/** An animal while it is being typed. */
export interface Draft {
  readonly name: string
  readonly category: string
  readonly status: PetStatus
}

/** Names that people give to categories in this browser, by number. */
export type CategoryNames = Readonly<Record<string, string>>

/** Problems by field. */
export type Problems = Readonly<Partial<Record<keyof Draft, string | undefined>>>

/** A category may be typed by its name, if that name is unique in this browser. A number is always that number. */
export function numberOf(category: string, names: CategoryNames): string {
  const typed = category.trim()
  const named = Object.keys(names).filter(number => names[number]?.toLowerCase() === typed.toLowerCase())
  const [only] = named.length === 1 && !/^-?\d+$/.test(typed) ? named : []
  return only ?? typed
}

/** Requires a draft without problems. */
export const petOf = ({ name, category, status }: Draft): NewPet & { categoryId: bigint } => ({
  name,
  categoryId: BigInt(category),
  status,
})

/** Everything that breaks a rule of the contract, in words for people. */
export const problemsIn = ({ name, category }: Draft): Problems => ({
  name: problemWithName(name),
  category: problemWithNumber(category),
})

function problemWithName(name: string): string | undefined {
  if (/^\p{White_Space}*$/u.test(name)) return 'Enter a name.'
  // Counts code points, as the contract does.
  const length = [...name].length
  if (length > NAME_MAX_LENGTH) return `Use at most ${NAME_MAX_LENGTH} characters. This name has ${length}.`
  if (name.includes('\0') || !name.isWellFormed()) return 'This name has a character that cannot be stored.'
  return undefined
}

export function problemWithNumber(typed: string): string | undefined {
  const category = typed.trim()
  if (category === '') return 'Enter a category number.'
  if (!/^-?\d{1,30}$/.test(category))
    return 'Enter a whole number, such as 7, or a name you gave to one category.'
  return isInt64(BigInt(category)) ? undefined : `Enter a whole number from ${INT64_MIN} to ${INT64_MAX}.`
}
