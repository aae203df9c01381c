import { useState } from 'preact/hooks'
import { AdditionsNote } from '../add/notes.tsx'
import type { ImportRun } from '../import/import-run.ts'
import { FailureDetails, FailureNote, ForgetsNote, failureText } from '../parts/failure.tsx'
import { Button } from '../parts/fields.tsx'
import { useObserved, useOnline, useTimer } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { animals, grouped, timeOf } from '../parts/labels.tsx'
import { useSession } from '../session/session.ts'
import { useNavigation } from './view.ts'

/** Notes beside the list, the most important first. */
export function Notes() {
  const { importing } = useSession()
  const { view } = useNavigation()
  const run = useObserved(importing)
  return (
    <>
      <ForgetsNote />
      <Connection />
      <AdditionsNote />
      {run && view.sheet !== 'import' && <ImportNote run={run} />}
      <News />
    </>
  )
}

/** The state of the service while something is wrong with it. It recovers by itself. */
function Connection() {
  const { index } = useSession()
  const { failure, readAt, retryAt, isReading } = useObserved(index.state)
  const isOnline = useOnline()
  const [, countDown] = useState(0)
  useTimer(failure ? 500 : undefined, () => countDown(Date.now()))
  const trouble = isOnline ? failure : undefined
  if (isOnline && !trouble) return null
  const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000))
  const retry = trouble && (
    <div class="row">
      <span class="small">{isReading ? 'Trying…' : `Retrying in ${seconds} s`}</span>
      <Button look="small" isOff={isReading} onClick={() => void index.refresh()}>
        Try now
      </Button>
    </div>
  )
  if (trouble && readAt === undefined) return <FailureNote failure={trouble}>{retry}</FailureNote>
  return (
    <div class="note note-unknown row">
      <Icon name="alert" />
      <div>
        <p role="status">
          {trouble ? <strong>Reconnecting…</strong> : 'You are offline.'}
          {trouble && ` ${failureText(trouble.code, true)[0]}.`}
          {readAt && ` What you see was read at ${timeOf(readAt)}.`}
          {!trouble && ' This continues when you are online again.'}
        </p>
        {trouble && <FailureDetails failure={trouble} />}
      </div>
      {retry}
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
  const { stage, failure, done, addedIds, file } = useObserved(run.state)
  const total = file.good.length
  if (stage === 'preview') return null
  const words = {
    running: 'Importing',
    paused: failure ? 'Import stopped' : 'Import paused',
    done: 'Imported',
  }
  return (
    <div class="note row">
      <Icon name="up" />
      <p role="status">
        {words[stage]}: <strong>{file.name}</strong>,{' '}
        {stage === 'done' ? animals(addedIds.size) : `${grouped(done)} of ${animals(total)}`}
      </p>
      {stage !== 'done' && <progress max={total} value={done} aria-label="Progress of the import" />}
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
