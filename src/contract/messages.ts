import type { Environment } from './servers.ts'

/** Messages that more than one place needs. The others stand where an error is thrown, or in `errors.ts`. */
export const MESSAGES = {
  invalid: (subject: 'body' | 'query', problems: readonly string[]) =>
    `The ${subject} is invalid: ${problems.join('; ')}.`,
  mustBeInteger: (minimum: bigint | number, maximum: bigint | number) =>
    `must be an integer from ${minimum} to ${maximum}`,
  mustBeOneOf: (values: readonly string[]) => `must be one of ${values.join(', ')}`,
  isSentTwice: (parameter: string) => `${parameter} must be sent once`,
  hostIsSentTwice: 'The request head is invalid: Host must be sent once.',
  keyIsFor: (environment: Environment, here: Environment) =>
    `This API key is for ${environment}; this is the ${here} service.`,
  noPet: (id: bigint) => `There is no animal with the identifier ${id}.`,
  methodNotAllowed: (method: string, allowed: string) =>
    `${method} is not allowed at this path. Allowed methods: ${allowed}.`,
  removed: (replacement: string) =>
    `This staging service rehearses the removal of this operation. The replacement, ${replacement}, does not look up identifiers.`,
} as const
