import type { PetStatus } from '../../../client/src/index.ts'
import { useNavigation } from '../list/view.ts'
import { FailureDetails, FailureNote, failureText } from '../parts/failure.tsx'
import { Button } from '../parts/fields.tsx'
import { useObserved, useOnline, useTimer } from '../parts/hooks.ts'
import { Name } from '../parts/labels.tsx'
import { useSession } from '../session/session.ts'
import { type Attempt, isSafeToRepeat } from './draft.ts'

/** Good news disappears without a click. */
const SHOWN_MS = 10_000

interface Props {
  readonly attempt: Attempt
  /** Whether it is shown beside the form rather than above the list. */
  readonly isInSheet?: boolean
}

/** The outcome of one animal that was sent, for as long as it is news. */
export function AttemptNote({ attempt, isInSheet = false }: Props) {
  const { additions } = useSession()
  const { outcome } = attempt
  const { text, step } = useMeaning(attempt, isInSheet)
  useTimer(outcome.kind === 'added' ? SHOWN_MS : undefined, () => additions.dismiss(attempt))
  return (
    <div class={`note note-${outcome.kind} row spread`}>
      <div role="status">
        <p>
          <strong>
            <Name name={attempt.draft.name} />
          </strong>{' '}
          {text}
        </p>
        {'failure' in outcome && outcome.failure && !isInSheet && (
          <FailureDetails failure={outcome.failure} />
        )}
      </div>
      <div class="actions row">
        {step && (
          <Button look="small" onClick={step.act}>
            {step.label}
          </Button>
        )}
        {outcome.kind !== 'pending' && (
          <Button look="quiet small" onClick={() => additions.dismiss(attempt)}>
            Dismiss
          </Button>
        )}
      </div>
    </div>
  )
}

interface Meaning {
  readonly text: string
  /** Actions that a person may want to take. */
  readonly step?: { readonly label: string; readonly act: () => void }
}

function useMeaning(attempt: Attempt, isInSheet: boolean): Meaning {
  const { apiKey, additions } = useSession()
  const { view, go, open } = useNavigation()
  const { outcome } = attempt
  const lost = 'may have been added: the response was lost.'
  switch (outcome.kind) {
    case 'pending':
      return { text: 'may still be added. Waiting for the response…' }
    case 'added': {
      const { id, status } = outcome.pet
      const text = `was added with ID ${id}.`
      if (isInSheet || view.status === undefined || view.status === status) return { text }
      const act = () => go({ status: status as PetStatus })
      return {
        text: `${text} It is ${status}, so it is not in this list.`,
        step: { label: `Show ${status} animals`, act },
      }
    }
    case 'refused': {
      const correct = () => {
        additions.takeUp(attempt)
        open('add')
      }
      const { title } = failureText(outcome.failure.code, true)
      return { text: `was not added. ${title}.`, step: { label: 'Correct it', act: correct } }
    }
    case 'unknown':
      return isSafeToRepeat(attempt, apiKey)
        ? {
            text: `${lost} Trying again is safe: the animal is added once.`,
            step: { label: 'Try again', act: () => additions.retry(attempt, apiKey) },
          }
        : { text: `${lost} Look for it in the list before you add it again.` }
  }
}

/** Messages beside the form: a lost response, a rejection, or being offline. */
export function FormNote() {
  const { additions } = useSession()
  const { state } = useObserved(additions.state).form
  const isOnline = useOnline()
  const attempt = additions.inForm()
  if (state.kind === 'lost' && attempt) return <LostNote attempt={attempt} isOnline={isOnline} />
  const failure = state.kind === 'editing' ? state.failure : undefined
  if (failure?.code === 'invalid_body')
    return (
      <p class="problem" role="alert">
        {failure.message}
      </p>
    )
  if (failure) return <FailureNote failure={failure} />
  return isOnline ? null : (
    <p class="small muted" role="status">
      You are offline. What you type is kept.
    </p>
  )
}

/** Only the response is lost, so this must not look like a failure. */
function LostNote({ attempt, isOnline }: { attempt: Attempt; isOnline: boolean }) {
  const { outcome } = attempt
  const failure = outcome.kind === 'unknown' ? outcome.failure : undefined
  return (
    <div class="failure stack">
      <div role="alert">
        <p>
          <strong>
            <Name name={attempt.draft.name} /> may have been added
          </strong>
        </p>
        <p>
          {failure
            ? `${failureText(failure.code, isOnline).title}, so`
            : 'The page was reloaded before the response arrived, so'}{' '}
          it is not clear whether it was added. Trying again is safe: the animal is added only once.
        </p>
      </div>
      {failure && <FailureDetails failure={failure} />}
    </div>
  )
}
