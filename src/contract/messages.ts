import { MAX_JSON_VALUES, MAX_QUERY_PARAMETERS } from './limits.ts'
import type { Environment } from './servers.ts'

/** Messages for errors whose default message in `errors.ts` is not specific enough. */
export const MESSAGES = {
  invalid: (subject: 'body' | 'query', problems: readonly string[]) =>
    `The ${subject} is invalid: ${problems.join('; ')}.`,
  mustBeInteger: (minimum: bigint | number, maximum: bigint | number) =>
    `must be an integer from ${minimum} to ${maximum}`,
  mustBeOneOf: (values: readonly string[]) => `must be one of ${values.join(', ')}`,
  tooManyValues: `it has more than ${MAX_JSON_VALUES} values`,
  tooManyParameters: `it has more than ${MAX_QUERY_PARAMETERS} parameters`,
  bodyIsEmpty: 'The body is empty. Send one JSON object.',
  notJson: (fault: string) => `The body is not valid JSON at ${fault}.`,
  notUtf8: (character: number) => `The body is not UTF-8 at character ${character}.`,
  bodyIsCutShort: 'The body ended before it was complete.',
  bodyIsTooSlow: (seconds: number) => `The body did not arrive within ${seconds} seconds.`,
  bodyIsEncoded: 'The body must be sent without a Content-Encoding.',
  tooManyBodies: 'Too many bodies are being received. Try again shortly.',

  keyIsUnknown: 'This API key is unknown.',
  keyIsMalformed: 'This is not a well-formed API key. Check it for a typing mistake.',
  authorizationIsSentTwice: 'The Authorization header must be sent once, with one API key.',
  keyIsRevoked: 'This API key was revoked.',
  keyIsExpired: 'This API key has expired.',
  keyIsFor: (environment: Environment, here: Environment) =>
    `This API key is for ${environment}; this is the ${here} service.`,

  noPet: (id: bigint) => `There is no animal with the identifier ${id}.`,
  noIdentifier: 'There is no such animal: an identifier is an int64 in plain decimal form.',
  cursorIsNotOurs: 'cursor must be taken from a Link header of this service',
  cursorIsOfAnotherList: (status: string | undefined) =>
    `cursor belongs to a list with ${status === undefined ? 'no status filter' : `status=${status}`}`,
  hostIsSentTwice: 'The request head is invalid: Host must be sent once.',
  hostIsInvalid: 'The request head is invalid: Host is too long or contains an invalid character.',
  keyIsSentTwice:
    'The Idempotency-Key header must be sent once, and must not contain a comma followed by a space.',
  isSentTwice: (parameter: string) => `${parameter} must be sent once`,

  methodNotServed: (method: string, allowed: string) =>
    `${method} is not allowed at this path. Allowed methods: ${allowed}.`,
  removed: (replacement: string) =>
    `This staging service rehearses the removal of this operation. The replacement, ${replacement}, does not look up identifiers.`,

  storageIsAway: (why: string) => `The storage cannot be used: ${why}.`,
  isShuttingDown: 'The service is shutting down.',
} as const
