import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { PetstoreError } from '../../../client/src/index.ts'
import { failureText } from './failure-text.ts'
import { useOnline } from './online.ts'

/** The service may ask for one second; retrying that often would be a nuisance. */
const SHORTEST_WAIT_MS = 5000

interface FailureProps {
  readonly failure: PetstoreError
  readonly children?: ComponentChildren
}

/** What went wrong, instead of or above the content. Not alarming: most problems are temporary. */
export function FailureNote({ failure, children }: FailureProps) {
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

interface RetryProps {
  readonly failure: PetstoreError
  readonly isRetrying: boolean
  readonly onRetry: () => void
}

/** How to continue: now, automatically when the service said so, or when the connection is back. */
export function Retry({ failure, isRetrying, onRetry }: RetryProps) {
  const secondsLeft = useCountdown(failure, onRetry)
  useEffect(() => {
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <div class="actions">
      <button type="button" class="button" aria-disabled={isRetrying} onClick={() => isRetrying || onRetry()}>
        {isRetrying ? 'Trying…' : 'Try again'}
      </button>
      {secondsLeft !== undefined && !isRetrying && (
        <span class="small muted">Retrying in {secondsLeft} s</span>
      )}
    </div>
  )
}

function useCountdown(failure: PetstoreError, onEnd: () => void): number | undefined {
  const [now, setNow] = useState(Date.now)
  const [end, setEnd] = useState<number>()
  useEffect(() => {
    const { retryAfterMs } = failure
    setNow(Date.now())
    setEnd(retryAfterMs === undefined ? undefined : Date.now() + Math.max(retryAfterMs, SHORTEST_WAIT_MS))
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [failure])
  const isOver = end !== undefined && now >= end
  useEffect(() => {
    if (isOver) onEnd()
  }, [isOver, onEnd])
  return end === undefined ? undefined : Math.max(0, Math.ceil((end - now) / 1000))
}
