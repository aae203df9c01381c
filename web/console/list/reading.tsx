import { FailureNote } from '../parts/failure.tsx'
import { useObserved } from '../parts/hooks.ts'
import { grouped } from '../parts/words.ts'
import { useSession } from '../session/session.ts'
import { useNavigation } from './view.ts'

/** How far reading the store is. Only what it waits for is announced, because the number changes all the time. */
export function Reading() {
  const { count, part, isLimited, offersStatus, failure } = useObserved(useSession().index.state)
  const { sheet } = useNavigation().view
  const read = part?.count || count
  if (failure) return <FailureNote failure={failure} />
  return (
    <div class="empty muted">
      <p>
        Reading {read > 0 && grouped(read)} {part?.count ? part.status : ''} …
      </p>
      <p role="status">
        {isLimited && 'The service limits how many requests it takes, so this takes longer. '}
        {offersStatus && !sheet && 'You can already add animals. Choose a status to read its animals first.'}
      </p>
    </div>
  )
}
