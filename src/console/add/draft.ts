import type { NewPet, PetStatus } from '../../../client/src/index.ts'
import { INT64_MAX, INT64_MIN } from '../../contract/int64.ts'
import { NAME_MAX_LENGTH } from '../../contract/limits.ts'

/** An animal as it is being typed. */
export interface Draft {
  readonly name: string
  readonly category: string
  readonly status: PetStatus
}

/** What is wrong, by the field it is about. */
export type Problems = Readonly<Partial<Record<keyof Draft, string>>>

export const isSameDraft = (one: Draft, other: Draft): boolean =>
  one.name === other.name && one.category.trim() === other.category.trim() && one.status === other.status

/** A category may be typed by the name that it has in this browser. A number is always that number. */
export function withCategoryNumber(draft: Draft, categoryNames: Readonly<Record<string, string>>): Draft {
  const typed = draft.category.trim().toLowerCase()
  const isNamed = ([, name]: [string, string]) => name.toLowerCase() === typed
  const named = /^-?\d+$/.test(typed) ? undefined : Object.entries(categoryNames).find(isNamed)
  return { ...draft, category: named?.[0] ?? draft.category.trim() }
}

/** Of a draft without problems. */
export const petOf = ({ name, category, status }: Draft): NewPet & { categoryId: bigint } => ({
  name,
  categoryId: BigInt(category),
  status,
})

/** All that the contract's rules say against a draft, in words for a person. */
export function problemsIn({ name, category }: Draft): Problems {
  const nameProblem = problemWithName(name)
  const categoryProblem = problemWithCategory(category.trim())
  return { ...(nameProblem && { name: nameProblem }), ...(categoryProblem && { category: categoryProblem }) }
}

function problemWithName(name: string): string | undefined {
  if (/^\p{White_Space}*$/u.test(name)) return 'Enter a name.'
  // Code points, as the contract counts.
  const length = [...name].length
  if (length > NAME_MAX_LENGTH) return `Use at most ${NAME_MAX_LENGTH} characters. This name has ${length}.`
  if (name.includes('\0') || !name.isWellFormed()) return 'This name has a character that cannot be stored.'
  return undefined
}

function problemWithCategory(category: string): string | undefined {
  if (category === '') return 'Enter a category number.'
  if (!/^-?\d{1,30}$/.test(category)) return 'Enter a whole number, such as 7, or a name you gave a category.'
  const isInRange = BigInt(category) >= INT64_MIN && BigInt(category) <= INT64_MAX
  return isInRange ? undefined : `Enter a number from ${INT64_MIN} to ${INT64_MAX}.`
}
