import type { PetstoreError, PetstoreErrorCode } from '../../../client/src/index.ts'

type Text = readonly [title: string, advice: string]

const TEXTS: Partial<Record<PetstoreErrorCode, Text>> = {
  rate_limited: ['Too many requests', 'The service asks you to slow down.'],
  unavailable: ['The service cannot respond right now', 'This usually passes within a minute.'],
  outcome_unknown: ['The service cannot tell yet whether it was added', 'Trying again is safe.'],
  internal_error: [
    'Something went wrong in the service',
    'If it happens again, tell the person who runs it.',
  ],
  connection_failed: ['The service cannot be reached', 'It may be restarting, or the connection broke.'],
  timeout: ['No response in time', 'The service may be busy.'],
  unexpected_answer: ['Unexpected response', 'A proxy or another server responded instead of the service.'],
  body_too_large: ['Too large to send', 'Shorten the name, then add the animal.'],
  operation_removed: ['This operation was removed', 'The service no longer offers it.'],
}

export const failureText = ({ code, message }: PetstoreError): Text =>
  TEXTS[code] ?? ['That did not work', message]

/** Why it failed, as the end of a sentence. A message of the service says more than our words for any failure. */
export const reasonOf = ({ code, message }: Pick<PetstoreError, 'code' | 'message'>): string =>
  (TEXTS[code]?.[0] ?? message).replace(/^[A-Z](?=[a-z ])/, first => first.toLowerCase()).replace(/\.$/, '')

/** A failure, shown instead of the content or above it. Not alarming, because most problems are temporary. */
export function FailureNote({ failure }: { failure: PetstoreError }) {
  const [title, advice] = failureText(failure)
  return (
    <div class="failure stack">
      <div role="alert">
        <p>
          <strong>{title}</strong>
        </p>
        <p>{advice}</p>
      </div>
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
      {requestId && [' · request ID ', <code>{requestId}</code>]}
    </p>
  </details>
)
