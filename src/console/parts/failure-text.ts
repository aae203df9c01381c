import type { PetstoreErrorCode } from '../../../client/src/index.ts'

export interface FailureText {
  readonly title: string
  readonly advice: string
}

const TEXTS: Partial<{ [code in PetstoreErrorCode]: FailureText }> = {
  rate_limited: { title: 'Too many requests', advice: 'The service asks you to slow down.' },
  unavailable: {
    title: 'The service cannot answer right now',
    advice: 'This usually passes within a minute.',
  },
  internal_error: {
    title: 'Something went wrong in the service',
    advice: 'If it happens again, tell the person who runs the service. The details below help them.',
  },
  timeout: { title: 'No response in time', advice: 'The service may be busy.' },
  aborted: { title: 'You stopped waiting', advice: 'Try again when you like.' },
  unexpected_answer: {
    title: 'Unexpected response',
    advice: 'A proxy or another server responded instead of the service.',
  },
  invalid_query: {
    title: 'This page of the list cannot be opened',
    advice: 'Its address is not valid. Start from the first page.',
  },
  body_too_large: { title: 'Too large to send', advice: 'Shorten the name, then add the animal.' },
  operation_removed: {
    title: 'This operation was removed',
    advice: 'The service no longer offers it.',
  },
}

const OFFLINE = {
  title: 'You are offline',
  advice: 'This continues automatically when you are online again.',
}
const UNREACHABLE = {
  title: 'The service cannot be reached',
  advice: 'It may be restarting, or the connection broke.',
}

/** Calm words for a failure. */
export function failureText(code: PetstoreErrorCode, isOnline: boolean): FailureText {
  if (code === 'connection_failed') return isOnline ? UNREACHABLE : OFFLINE
  return TEXTS[code] ?? { title: 'That did not work', advice: 'The details below say why.' }
}
