import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import type { Survey } from '../counts/survey.ts'
import { Rows } from '../list/rows.tsx'
import { FailureNote } from '../parts/failure.tsx'
import { animals as animalsText, grouped } from '../parts/numbers.ts'
import { useObserved } from '../parts/observed.ts'
import type { View } from '../view/view.ts'
import { matchesOf } from './matches.ts'
import { useById } from './use-by-id.ts'

/** More rows than one reads. */
const MOST_ROWS = 100
/** A pause in the typing. */
const PAUSE_MS = 300

interface Props {
  readonly query: string
  readonly view: View
  readonly survey: Survey
  readonly apiKey: string
  readonly onPick: (pet: Pet) => void
}

/** What the search finds: at once among the animals that were read, then among the rest as they are read. */
export function Found({ query, view, survey, apiKey, onPick }: Props) {
  const { read, isComplete, isRunning, failure } = useObserved(survey.state)
  const wanted = query.trim()
  const [isStopped, setStopped] = useState(false)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const byId = useById(apiKey, wanted, isComplete)
  const matches = useMemo(
    () => matchesOf(survey.animals, wanted, view.status),
    [survey, wanted, view.status, read],
  )
  useEffect(() => {
    setStopped(false)
    pause.current = setTimeout(() => void survey.run(), PAUSE_MS)
    return () => clearTimeout(pause.current)
  }, [survey, wanted])

  const isListed = byId.pet && matches.some(({ id }) => id === byId.pet?.id)
  const rows = byId.pet && !isListed ? [byId.pet, ...matches] : matches
  const goOn = () => {
    setStopped(false)
    void survey.run()
  }
  const stop = () => {
    clearTimeout(pause.current)
    setStopped(true)
    survey.stop()
  }
  return (
    <section class="card list" aria-label="Found animals" aria-busy={isRunning}>
      <div class="found-head">
        <p role="status">
          {rows.length === 0 && isComplete ? 'No animal found' : `${animalsText(rows.length)} found`}
          {isComplete ? ` among ${animalsText(read)}` : ` among the first ${grouped(read)}`}
          {view.status && `, ${view.status} only`}
        </p>
        {isRunning && !isComplete && (
          <button type="button" class="button button-small" onClick={stop}>
            Stop
          </button>
        )}
        {!isRunning && !isComplete && (isStopped || failure) && (
          <button type="button" class="button button-small" onClick={goOn}>
            Search the rest
          </button>
        )}
      </div>
      {failure && !isRunning && <FailureNote failure={failure} />}
      {rows.length > 0 && <Rows pets={rows.slice(0, MOST_ROWS)} onPick={onPick} />}
      {rows.length > MOST_ROWS && (
        <p class="small muted found-more">The first {MOST_ROWS} are shown. Type more to narrow the search.</p>
      )}
      {byId.note && <p class="small muted found-more">{byId.note}</p>}
    </section>
  )
}
