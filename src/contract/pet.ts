import { z } from 'zod'
import { INT64_MAX, INT64_MIN } from './int64.ts'
import { LIMIT_MAX, NAME_MAX_LENGTH } from './limits.ts'

/** Not `\S`: JavaScript's white space lacks U+0085, and has U+FEFF, which Unicode has not. */
const HAS_VISIBLE = /\P{White_Space}/u

/** A character takes one or two places, so most texts need no counting. */
function isTooLong(name: string): boolean {
  if (name.length <= NAME_MAX_LENGTH) return false
  return name.length > 2 * NAME_MAX_LENGTH || [...name].length > NAME_MAX_LENGTH
}

const requiredOr = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : message

const mustBeInt64 = `must be an integer from ${INT64_MIN} to ${INT64_MAX}`

/** Takes a bigint, or a number that JSON.parse read exactly; yields a bigint. */
export const Int64 = z.preprocess(
  value => (Number.isSafeInteger(value) ? BigInt(value as number) : value),
  z.int64({ error: requiredOr(mustBeInt64) }),
)

const Name = z
  .string({ error: requiredOr('must be a string') })
  .check(context => {
    const problem = problemOfName(context.value)
    if (problem) context.issues.push({ code: 'custom', input: context.value, message: problem })
  })
  .meta({
    description:
      "The animal's name, kept exactly as sent. At least one character is not white space. It contains neither a NUL nor a lone surrogate.",
    minLength: 1,
    maxLength: NAME_MAX_LENGTH,
    examples: ['Rex'],
  })

function problemOfName(name: string): string | undefined {
  if (name === '') return `must have 1 to ${NAME_MAX_LENGTH} characters`
  if (!name.isWellFormed()) return 'must not contain a lone surrogate'
  if (name.includes('\0')) return 'must not contain a NUL character'
  if (isTooLong(name)) return `must have 1 to ${NAME_MAX_LENGTH} characters`
  if (!HAS_VISIBLE.test(name)) return 'must contain at least one character that is not white space'
  return undefined
}

export const PET_STATUSES = ['available', 'pending', 'sold'] as const

export const PetStatus = z
  .enum(PET_STATUSES, { error: `must be one of ${PET_STATUSES.join(', ')}` })
  .meta({ description: 'Availability status of an animal.', examples: ['available'] })
export type PetStatus = z.output<typeof PetStatus>

export const NewPet = z
  .object(
    {
      name: Name,
      categoryId: Int64.meta({
        description: 'Identifier of the category the animal belongs to.',
        examples: [7],
      }),
      status: PetStatus.default('available').meta({
        description: 'Availability status; `available` if omitted.',
      }),
    },
    { error: 'must be a JSON object' },
  )
  .meta({ description: 'An animal to add. The service assigns its identifier; other fields are ignored.' })
export type NewPet = z.output<typeof NewPet>

export const Pet = z
  .object({
    id: Int64.meta({
      description: 'Unique identifier, assigned by the service on creation.',
      minimum: 1,
      examples: [1],
    }),
    ...NewPet.shape,
    status: PetStatus.meta({ description: 'Availability status.' }),
  })
  .meta({ description: 'An animal in the store.' })
export type Pet = z.output<typeof Pet>

export const Pets = z
  .array(Pet)
  .max(LIMIT_MAX)
  .meta({ description: 'Animals in ascending order of their identifier.' })
