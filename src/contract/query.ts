import { z } from 'zod'
import { PetStatus } from './pet.ts'

export const LIMIT_MIN = 1
export const LIMIT_MAX = 100
export const LIMIT_DEFAULT = 20

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
    .meta({ description: 'Maximum number of animals returned.' }),
  status: PetStatus.optional().meta({ description: 'Filters by availability status.' }),
  cursor: z.string().min(1, { error: 'must not be empty' }).optional().meta({
    description:
      'Where the page starts. Opaque: take it from the `Link` header of the page before, do not make one.',
  }),
})
export type ListPetsQuery = z.output<typeof ListPetsQuery>
