import type { PetStatus } from '../../../client/src/index.ts'
import { useNavigation } from '../list/view.ts'
import { Button } from '../parts/fields.tsx'
import { useObserved, useTimer } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Name } from '../parts/labels.tsx'
import { useSession } from '../session/session.ts'
import { summaryOf } from './tray.tsx'

/** Good news disappears without a click. */
const SHOWN_MS = 10_000

/** One line above the list for all additions: those that need a decision, else those on their way, else the last one added. */
export function AdditionsNote() {
  const { additions } = useSession()
  const { view, open } = useNavigation()
  const { attempts, latest } = useObserved(additions.state)
  const isNews = latest?.outcome.kind === 'added'
  useTimer(isNews ? SHOWN_MS : undefined, () => additions.forgetNews(), latest)
  // The open form has the tray.
  const isShown = view.sheet !== 'add' && (attempts.length > 0 || isNews)
  const isOpen = attempts.some(({ outcome }) => outcome.kind !== 'pending')
  return (
    <div role="status" class="live">
      {isShown && (
        <div class={`note row ${isOpen ? 'note-unknown' : ''}`}>
          {attempts.length > 0 ? (
            <>
              <Icon name={isOpen ? 'alert' : 'up'} />
              <p>Your additions: {summaryOf(attempts)}</p>
            </>
          ) : (
            <AddedNews />
          )}
          {isOpen && (
            <Button class="button button-small push" onClick={() => open('add')}>
              Review
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** The animal added last. Explains why the list does not show it. */
function AddedNews() {
  const { additions } = useSession()
  const { view, go } = useNavigation()
  const { latest } = useObserved(additions.state)
  if (latest?.outcome.kind !== 'added') return null
  const { name, id, status } = latest.outcome.pet
  const isElsewhere = view.status !== undefined && view.status !== status
  const show = () => {
    go({ status: status as PetStatus })
    // This button goes.
    document.querySelector('h1')?.focus()
  }
  return (
    <>
      <Icon name="check" />
      <p>
        <Name name={name} /> was added with ID {String(id)}.
        {isElsewhere && ` It is ${status}, so it is not in this list.`}
      </p>
      {isElsewhere && (
        <Button class="button button-small push" onClick={show}>
          Show {status} animals
        </Button>
      )}
    </>
  )
}
