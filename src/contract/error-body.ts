import { z } from 'zod'

/** The one shape of every error body. It is called Error in the interface. */
export const ErrorBody = z
  .object({
    // Open here, so that a client made from the description outlives a new code; each answer names those it can have.
    code: z.string().meta({
      description:
        'Machine-readable error code. Later releases may add codes: treat an unknown one by its status.',
      examples: ['invalid_body'],
      pattern: '^[a-z][a-z0-9_]*$',
    }),
    message: z.string().meta({
      description: 'What was wrong, and where.',
      examples: ['The body is invalid: name is required.'],
    }),
    status: z
      .int()
      .min(400)
      .max(599)
      .meta({ description: 'The HTTP status code.', examples: [400] }),
  })
  .meta({ id: 'Error', description: 'The body of every error answer.' })
export type ErrorBody = z.output<typeof ErrorBody>
