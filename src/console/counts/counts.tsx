import { facts } from '../page-facts.ts'
import { animals, grouped, timeOf } from '../parts/numbers.ts'
import { useObserved } from '../parts/observed.ts'
import { StatusDot } from '../parts/status.tsx'
import type { Survey } from './survey.ts'

/** How many there are of each status, as far as they were counted, and when. */
export function Counts({ survey }: { survey: Survey }) {
  const { counts, read, isComplete, isRunning, at, failure } = useObserved(survey.state)
  if (at === undefined || (read === 0 && isComplete)) return null
  return (
    <section class="counts" aria-label="Counts by status">
      <div class="counts-bar" aria-hidden="true">
        {facts.statuses.map(status => (
          <svg
            key={status}
            class={`counts-part dot-${status}`}
            width={`${share(counts[status], read)}%`}
            height="6"
          />
        ))}
      </div>
      <ul class="counts-legend">
        {facts.statuses.map(status => (
          <li key={status}>
            <StatusDot status={status} />
            <span class="number">{grouped(counts[status] ?? 0)}</span> {status}
          </li>
        ))}
      </ul>
      <p class="small muted counts-time">
        {isComplete ? `${animals(read)} in all, counted at ${timeOf(at)}` : `The first ${animals(read)} only`}
        {isRunning && !isComplete && ', still counting…'}{' '}
        {!isComplete && !isRunning && (
          <button type="button" class="link" onClick={() => void survey.run()}>
            {failure ? 'Counting stopped. Continue' : 'Count all'}
          </button>
        )}
        {isRunning && !isComplete && (
          <button type="button" class="link" onClick={() => survey.stop()}>
            Stop
          </button>
        )}
        {isComplete && (
          <button type="button" class="link" onClick={() => void survey.again()}>
            Count again
          </button>
        )}
      </p>
    </section>
  )
}

const share = (count = 0, all: number): number => (all === 0 ? 0 : (count / all) * 100)
