import { Petstore, PetstoreError, UnexpectedAnswerError } from '../../../client/src/index.ts'
import { baseUrl } from '../../page.ts'

/** Without retries, because a person sees what happened and decides; the page says when it retries by itself. */
export const petsApi = (apiKey: string): Petstore['pets'] =>
  new Petstore({
    apiKey,
    baseUrl: baseUrl(),
    maxRetries: 0,
    attemptTimeoutMs: 15_000,
    // The page shows its own messages.
    onDeprecated: () => {},
  }).pets

/** Any thrown value as one of the client's errors. */
export const failureOf = (error: unknown): PetstoreError =>
  error instanceof PetstoreError
    ? error
    : new UnexpectedAnswerError('unexpected_answer', error instanceof Error ? error.message : String(error))
