import type { ComponentChildren } from 'preact'
import type { PetstoreError, PetstoreErrorCode } from '../../../client/src/index.ts'
import { useOnline } from './hooks.ts'

interface FailureText {
  readonly title: string
  readonly advice: string
}

const OFFLINE = {
  title: 'You are offline',
  advice: 'This continues automatically when you are online again.',
}
const UNREACHABLE = {
  title: 'The service cannot be reached',
  advice: 'It may be restarting, or the connection broke.',
}
const UNKNOWN = { title: 'That did not work', advice: 'The details below say why.' }

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
  unexpected_answer: {
    title: 'Unexpected response',
    advice: 'A proxy or another server responded instead of the service.',
  },
  body_too_large: { title: 'Too large to send', advice: 'Shorten the name, then add the animal.' },
  operation_removed: { title: 'This operation was removed', advice: 'The service no longer offers it.' },
}

/** Calm words for a failure. */
export function failureText(code: PetstoreErrorCode, isOnline: boolean): FailureText {
  if (code === 'connection_failed') return isOnline ? UNREACHABLE : OFFLINE
  return TEXTS[code] ?? UNKNOWN
}

interface Props {
  readonly failure: PetstoreError
  readonly children?: ComponentChildren
}

/** What went wrong, instead of or above the content. Not alarming: most problems are temporary. */
export function FailureNote({ failure, children }: Props) {
  const { title, advice } = failureText(failure.code, useOnline())
  return (
    <div class="failure">
      <div role="alert">
        <p class="failure-title">{title}</p>
        <p>{advice}</p>
      </div>
      {children}
      <FailureDetails failure={failure} />
    </div>
  )
}

/** For developers and for the person who runs the service. */
export const FailureDetails = ({ failure: { message, code, requestId } }: { failure: PetstoreError }) => (
  <details class="fold small">
    <summary>Details</summary>
    <p>{message}</p>
    <p>
      Code <code>{code}</code>
      {requestId && (
        <>
          {' '}
          · request ID <code>{requestId}</code>
        </>
      )}
    </p>
  </details>
)
