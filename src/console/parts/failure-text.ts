import type { PetstoreErrorCode } from '../../../client/src/index.ts'

export interface FailureText {
  readonly title: string
  readonly advice: string
}

const AGAIN = 'Nothing is lost. Try again in a moment.'

const TEXTS: Partial<{ [code in PetstoreErrorCode]: FailureText }> = {
  rate_limited: { title: 'Too many requests', advice: 'The service asks this key to slow down.' },
  unavailable: { title: 'The service cannot answer right now', advice: AGAIN },
  internal_error: {
    title: 'Something went wrong in the service',
    advice: 'Try again. If it stays, give the request id below to whoever runs the service.',
  },
  timeout: { title: 'No answer in time', advice: 'The service may be busy. Try again.' },
  aborted: { title: 'You stopped waiting', advice: 'Try again when you like.' },
  unexpected_answer: {
    title: 'Something else answered',
    advice: 'A proxy or another server answered in place of the service.',
  },
  invalid_query: {
    title: 'This page of the list cannot be opened',
    advice: 'The address is not one that the service made. Start from the first page.',
  },
}

const OFFLINE = {
  title: 'You are offline',
  advice: 'The list comes back by itself when you are connected again.',
}
const UNREACHABLE = {
  title: 'The service cannot be reached',
  advice: 'It may be restarting, or the connection broke. Try again.',
}

/** Calm words for a failure, and the way on. */
export function failureText(code: PetstoreErrorCode, isOnline: boolean): FailureText {
  if (code === 'connection_failed') return isOnline ? UNREACHABLE : OFFLINE
  return TEXTS[code] ?? { title: 'That did not work', advice: AGAIN }
}
