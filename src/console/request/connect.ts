import { Petstore, PetstoreError, UnexpectedAnswerError } from '../../../client/src/index.ts'
import { baseUrl } from '../base-url.ts'
import { type Note, notingFetch } from './exchange.ts'

/** A person is there to see what happened and to decide; the page itself says when it tries again. */
const PATIENCE = { maxRetries: 0, attemptTimeoutMs: 15_000 }
/** Long work continues automatically after temporary failures. */
export const LONG_PATIENCE = { maxRetries: 5, attemptTimeoutMs: 15_000 }

export const connect = (apiKey: string, note: Note = () => undefined, patience = PATIENCE): Petstore =>
  new Petstore({ apiKey, baseUrl, fetch: notingFetch(note), ...patience })

/** Whatever was thrown, as an error of the client. */
export const failureOf = (error: unknown): PetstoreError =>
  error instanceof PetstoreError
    ? error
    : new UnexpectedAnswerError('unexpected_answer', error instanceof Error ? error.message : String(error))
