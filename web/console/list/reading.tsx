import { FailureNote } from '../parts/failure.tsx'
import { useObserved } from '../parts/hooks.ts'
import { grouped } from '../parts/words.ts'
import { useSession } from '../session/session.ts'

/** How far reading the store is. Only what it waits for is announced, because the number changes all the time. */
export function Reading() {
  const { count, isLimited, failure } = useObserved(useSession().index.state)
  if (failure) return <FailureNote failure={failure} />
  return (
    <div class="empty muted">
      <p>Reading {count > 0 && grouped(count)} …</p>
      <p role="status">
        {isLimited && 'The service limits how many requests it takes, so this takes longer.'}
      </p>
    </div>
  )
}
