import { z } from 'zod'
import { CURSOR_MAX_LENGTH, LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN } from './limits.ts'
import { PetStatus } from './pet.ts'

const DECIMAL = /^(?:0|[1-9]\d{0,8})$/
const mustBeInRange = `must be an integer from ${LIMIT_MIN} to ${LIMIT_MAX}`

/** Takes the texts of a query string. */
export const ListPetsQuery = z.object({
  limit: z
    .preprocess(
      text => (typeof text === 'string' && DECIMAL.test(text) ? Number(text) : text),
      z
        .int({ error: mustBeInRange })
        .min(LIMIT_MIN, { error: mustBeInRange })
        .max(LIMIT_MAX, { error: mustBeInRange }),
    )
    .default(LIMIT_DEFAULT)
    .meta({ description: 'Maximum number of animals returned.', examples: [20] }),
  status: PetStatus.optional().meta({
    description: 'Filters by availability status.',
    examples: ['available'],
  }),
  cursor: z
    .string()
    .min(1, { error: 'must not be empty' })
    .optional()
    .meta({
      description: 'Where the page starts. Opaque: take it from the `Link` header of the previous page.',
      maxLength: CURSOR_MAX_LENGTH,
      examples: ['AAAAAAAAABT_2Jm0cW5yVb3k1Zx8'],
    }),
})
export type ListPetsQuery = z.output<typeof ListPetsQuery>
