import type { NewPet, PetStatus } from '../../../client/src/index.ts'
import type { Problems } from './field-problems.ts'

/** An animal as it is being typed. */
export interface Draft {
  readonly name: string
  readonly category: string
  readonly status: PetStatus
}

export interface DraftLimits {
  readonly nameMaxLength: number
  readonly int64Min: string
  readonly int64Max: string
}

export const isSameDraft = (one: Draft, other: Draft): boolean =>
  one.name === other.name && one.category.trim() === other.category.trim() && one.status === other.status

/** Of a draft without problems. */
export const animalOf = ({ name, category, status }: Draft): NewPet & { categoryId: bigint } => ({
  name,
  categoryId: BigInt(category.trim()),
  status,
})

/** All that is wrong with a draft, in words for a person. The service has the last word; this spares the way there. */
export function problemsIn({ name, category }: Draft, limits: DraftLimits): Problems {
  const nameProblem = problemWithName(name, limits.nameMaxLength)
  const categoryProblem = problemWithCategory(category.trim(), limits)
  return {
    ...(nameProblem && { name: nameProblem }),
    ...(categoryProblem && { categoryId: categoryProblem }),
  }
}

function problemWithName(name: string, max: number): string | undefined {
  if (/^\p{White_Space}*$/u.test(name)) return 'Enter a name.'
  // Code points, as the contract counts.
  const length = [...name].length
  if (length > max) return `Use at most ${max} characters. This name has ${length}.`
  if (name.includes('\0') || !name.isWellFormed()) return 'This name has a character that cannot be stored.'
  return undefined
}

function problemWithCategory(category: string, { int64Min, int64Max }: DraftLimits): string | undefined {
  if (category === '') return 'Enter a category number.'
  if (!/^-?\d{1,30}$/.test(category)) return 'Enter a whole number, such as 7.'
  const isInRange = BigInt(category) >= BigInt(int64Min) && BigInt(category) <= BigInt(int64Max)
  return isInRange ? undefined : `Enter a number from ${int64Min} to ${int64Max}.`
}
