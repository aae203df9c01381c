import { useState } from 'preact/hooks'
import { reasonOf } from '../parts/failure.tsx'
import { Button } from '../parts/fields.tsx'
import { useObserved } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Name } from '../parts/labels.tsx'
import { grouped } from '../parts/words.ts'
import { useSession } from '../session/session.ts'
import { type Attempt, canRetry, isOpen, linesOf, summaryOf } from './attempt.ts'
import { focusField } from './fields.tsx'

/** What became of an animal, after its name. */
function outcomeText(attempt: Attempt, apiKey: string): string {
  const { outcome } = attempt
  if (outcome.kind === 'pending') return 'on its way…'
  if (outcome.kind === 'added') return `added, ID ${outcome.pet.id}`
  if (outcome.kind === 'refused') return `not added: ${reasonOf(outcome.failure)}`
  return canRetry(attempt, apiKey)
    ? 'may have been added; safe to retry'
    : `may have been added. Look for it in the list before you add it again. Idempotency-Key: ${attempt.key}`
}

/** All animals that were sent, one line each, below the form. */
export function Tray() {
  const session = useSession()
  const { apiKey, additions } = session
  const { attempts, latest } = useObserved(additions.state)
  const [isWhole, setWhole] = useState(false)

  const retryable = attempts.filter(attempt => canRetry(attempt, apiKey))
  const [lines, rest] = linesOf(attempts)
  return (
    <>
      {/* The lines move and stay, so they are not announced; each outcome is, once. */}
      <p class="hidden" role="status">
        {latest && `${latest.draft.name} ${outcomeText(latest, apiKey)}`}
      </p>
      {lines.length > 0 && (
        <section class="tray" aria-labelledby="tray-title">
          <div class="row">
            <h3 id="tray-title" tabIndex={-1}>
              Your additions
            </h3>
            {retryable.length > 1 && (
              <Button class="button button-small push" onClick={() => additions.retry(retryable, session)}>
                Try {retryable.length === attempts.filter(isOpen).length ? 'all' : grouped(retryable.length)}{' '}
                again
              </Button>
            )}
          </div>
          <p class="small dim">{summaryOf(attempts)}</p>
          <ol>
            {[...lines, ...(isWhole ? rest : [])].map(attempt => (
              <Line key={attempt.key} attempt={attempt} />
            ))}
          </ol>
          {rest.length > 0 && (
            <Button look="quiet small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? 'Show fewer' : `Show the rest: ${summaryOf(rest)}`}
            </Button>
          )}
        </section>
      )}
    </>
  )
}

const LOOKS = {
  unknown: ['pending', 'ask'],
  refused: ['bad', 'alert'],
  pending: ['pending', 'up'],
  added: ['available', 'check'],
} as const

function Line({ attempt }: { attempt: Attempt }) {
  const session = useSession()
  const { apiKey, additions } = session
  const { name } = attempt.draft
  const { kind } = attempt.outcome
  const [look, icon] = LOOKS[kind]
  const hasRetry = canRetry(attempt, apiKey)
  const hasCorrect = kind === 'refused' && !hasRetry
  const isOff = hasCorrect && additions.draft.name !== ''
  const offId = `off-${attempt.key}`
  const correct = () => {
    additions.correct(attempt)
    focusField('name')
  }
  return (
    <li class={look}>
      <Icon name={icon} />
      <p>
        <Name name={name} /> <span class="small dim">{outcomeText(attempt, apiKey)}</span>
        {isOff && (
          <span class="small" id={offId}>
            {'. '}Finish or clear the form first.
          </span>
        )}
      </p>
      {isOpen(attempt) && (
        <div class="row">
          {(hasRetry || hasCorrect) && (
            <Button
              look="small"
              isOff={isOff}
              aria-describedby={isOff ? offId : undefined}
              onClick={hasRetry ? () => additions.retry([attempt], session) : correct}
            >
              {hasRetry ? 'Try again' : 'Correct'}
              <span class="hidden">: {name}</span>
            </Button>
          )}
          <Button
            look="quiet small"
            aria-label={`Dismiss: ${name}`}
            onClick={() => additions.dismiss(attempt)}
          >
            <Icon name="x" />
          </Button>
        </div>
      )}
    </li>
  )
}
