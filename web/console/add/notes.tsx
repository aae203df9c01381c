import { useListing } from '../list/listing.ts'
import { ALL, useNavigation } from '../list/view.ts'
import { Button } from '../parts/fields.tsx'
import { useObserved, useTimer } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Name } from '../parts/labels.tsx'
import { useSession } from '../session/session.ts'
import { sentencesOf } from './attempt.ts'

/** Good news disappears without a click. */
const SHOWN_MS = 10_000

/** One line above the list for all additions, or for the last one added. While the form is open, its tray shows them. */
export function AdditionsNote() {
  const { additions } = useSession()
  const { view, go, open } = useNavigation()
  const { found, isComplete } = useListing()
  const { attempts, latest } = useObserved(additions.state)
  const added = latest?.outcome.kind === 'added' ? latest.outcome.pet : undefined
  useTimer(added && SHOWN_MS, () => additions.forgetNews(), latest)
  const [needsYou, rest] = sentencesOf(attempts)
  const isMissing = isComplete && !found.some(({ id }) => id === added?.id)
  return (
    <div role="status" class="live">
      {view.sheet !== 'add' && rest && (
        <div class={`note row ${needsYou ? 'note-unknown' : 'note-news'}`}>
          <Icon name={needsYou ? 'alert' : 'up'} />
          <p>
            <strong>{needsYou}</strong> {rest}
          </p>
          {needsYou && (
            <Button look="small" onClick={() => open('add')}>
              Review
            </Button>
          )}
        </div>
      )}
      {view.sheet !== 'add' && !rest && added && (
        <div class="note row">
          <Icon name="check" />
          <p>
            <Name name={added.name} /> was added with ID {String(added.id)}
            {isMissing && ', but does not match this view'}.
          </p>
          {isMissing && (
            <Button look="small" onClick={() => go(ALL)}>
              Show all animals
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
