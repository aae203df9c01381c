import { sentencesOf } from '../add/attempt.ts'
import type { ImportRun } from '../import/import-run.ts'
import { headingOf } from '../import/words.ts'
import { FailureDetails, failureText } from '../parts/failure.tsx'
import { Button } from '../parts/fields.tsx'
import { useObserved, useOnline, useTimer } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Name } from '../parts/labels.tsx'
import { animals, timeOf } from '../parts/words.ts'
import { useSession } from '../session/session.ts'
import { useListing } from './listing.ts'
import { ALL, useNavigation } from './view.ts'

/** Good news disappears without a click. */
const SHOWN_MS = 10_000

/** Notes beside the list, the most important first. */
export function Notes() {
  const { importing } = useSession()
  const { view } = useNavigation()
  const run = useObserved(importing)
  return (
    <>
      <Connection />
      <AdditionsNote />
      {run && view.sheet !== 'import' && <ImportNote run={run} />}
      <News />
    </>
  )
}

/** What is wrong with the connection or the service. It recovers by itself. */
function Connection() {
  const { index } = useSession()
  const { failure, readAt, isReading } = useObserved(index.state)
  const isOnline = useOnline()
  const trouble = isOnline ? failure : undefined
  if (isOnline && !trouble) return null
  return (
    <div class="note note-unknown row">
      <Icon name="alert" />
      <div>
        <p role="status">
          <strong>{trouble ? 'Reconnecting…' : 'You are offline.'}</strong>
          {trouble && ` ${failureText(trouble)[0]}.`}
          {readAt && ` What you see was read at ${timeOf(readAt)}.`}
        </p>
        {trouble && <FailureDetails failure={trouble} />}
      </div>
      {trouble && (
        <Button look="small" isOff={isReading} onClick={() => void index.refresh()}>
          Try now
        </Button>
      )}
    </div>
  )
}

/** One line above the list for all additions, or for the last one added. While the form is open, its tray shows them. */
function AdditionsNote() {
  const { additions } = useSession()
  const { view, go, open } = useNavigation()
  const { found, isShown } = useListing()
  const { attempts, latest } = useObserved(additions.state)
  const added = latest?.outcome.kind === 'added' ? latest.outcome.pet : undefined
  useTimer(added && SHOWN_MS, () => additions.forgetNews(), latest)
  const [needsYou, rest] = sentencesOf(attempts)
  const isMissing = added !== undefined && isShown && !found.some(({ id }) => id === added.id)
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

/** Others have added animals. The list does not change while someone reads it, so a note offers to show them. */
function News() {
  const { index } = useSession()
  const { view, go } = useNavigation()
  const { news } = useObserved(index.state)
  const show = () => {
    index.showNews()
    if (view.page > 1) go({ page: 1 })
  }
  return (
    <div role="status" class="live">
      {news.length > 0 && (
        <div class="note note-news row">
          <Icon name="down-load" />
          <p>{animals(news.length).replace(' ', ' new ')}</p>
          <Button look="small" onClick={show}>
            Show
          </Button>
        </div>
      )}
    </div>
  )
}

/** An import continues when its sheet is closed. */
function ImportNote({ run }: { run: ImportRun }) {
  const { open } = useNavigation()
  const { importing } = useSession()
  const { stage, done, file } = useObserved(run.state)
  if (stage === 'preview') return null
  return (
    <div class="note row">
      <Icon name="up" />
      <p role="status">
        <strong>{file.name}</strong>: {headingOf(run)}
      </p>
      {stage !== 'done' && (
        <progress max={file.good.length} value={done} aria-label="Progress of the import" />
      )}
      <Button look="small" onClick={() => open('import')}>
        Open the import
      </Button>
      {stage === 'done' && (
        <Button look="quiet small" aria-label="Dismiss the import" onClick={() => importing.set(undefined)}>
          <Icon name="x" />
        </Button>
      )}
    </div>
  )
}
