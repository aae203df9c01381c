import { useState } from 'preact/hooks'
import { FailureNote } from '../parts/failure.tsx'
import { useObserved, useTimer } from '../parts/hooks.ts'
import { grouped } from '../parts/labels.tsx'
import { useSession } from '../session/session.ts'

/** After this, people should know that it takes long. */
const SLOW_MS = 1500

/** How far reading the store is. Only what it waits for is announced, because the number changes all the time. */
export function Reading() {
  const { count, isLimited, failure } = useObserved(useSession().index.state)
  const [isSlow, setSlow] = useState(false)
  useTimer(SLOW_MS, () => setSlow(true))
  if (failure) return <FailureNote failure={failure} />
  return (
    <div class="empty muted">
      <p>Reading {count > 0 && grouped(count)} …</p>
      <p role="status">
        {isLimited
          ? 'The service limits how many requests it takes, so this takes longer.'
          : isSlow && count === 0 && 'Still waiting for the service…'}
      </p>
    </div>
  )
}
