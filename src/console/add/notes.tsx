import type { PetStatus } from '../../../client/src/index.ts'
import { useNavigation } from '../list/view.ts'
import { FailureDetails, FailureNote, failureText } from '../parts/failure.tsx'
import { Button } from '../parts/fields.tsx'
import { useObserved, useOnline, useTimer } from '../parts/hooks.ts'
import { Name } from '../parts/labels.tsx'
import { useSession } from '../session/session.ts'
import { type Attempt, isSafeToRepeat } from './draft.ts'

/** Good news needs no click to go. */
const SHOWN_MS = 10_000

interface Props {
  readonly attempt: Attempt
  /** Beside the form, rather than above the list. */
  readonly isInSheet?: boolean
}

/** What became of one animal that was sent, for as long as that is news. */
export function AttemptNote({ attempt, isInSheet = false }: Props) {
  const { apiKey, additions } = useSession()
  const { view } = useNavigation()
  const { outcome } = attempt
  const isFilteredOut =
    !isInSheet && outcome.kind === 'added' && view.status !== undefined && view.status !== outcome.pet.status
  useTimer(outcome.kind === 'added' ? SHOWN_MS : undefined, () => additions.dismiss(attempt))
  return (
    <div class={`note note-${outcome.kind} row spread`}>
      <div role="status">
        <p>
          <strong>
            <Name name={attempt.draft.name} />
          </strong>{' '}
          {textOf(attempt, apiKey)}
          {isFilteredOut && ` It is ${outcome.pet.status}, so it is not in this list.`}
        </p>
        {'failure' in outcome && outcome.failure && !isInSheet && (
          <FailureDetails failure={outcome.failure} />
        )}
      </div>
      <div class="actions row">
        <NextStep attempt={attempt} isFilteredOut={isFilteredOut} />
        {outcome.kind !== 'pending' && (
          <Button look="quiet small" onClick={() => additions.dismiss(attempt)}>
            Dismiss
          </Button>
        )}
      </div>
    </div>
  )
}

function textOf(attempt: Attempt, apiKey: string): string {
  const { outcome } = attempt
  switch (outcome.kind) {
    case 'pending':
      return 'may still be added. Waiting for the response…'
    case 'added':
      return `was added with ID ${outcome.pet.id}.`
    case 'refused':
      return `was not added. ${failureText(outcome.failure.code, true).title}.`
    case 'unknown':
      return isSafeToRepeat(attempt, apiKey)
        ? 'may have been added: the response was lost. Trying again is safe: the animal is added once.'
        : 'may have been added: the response was lost. Look for it in the list before you add it again.'
  }
}

function NextStep({ attempt, isFilteredOut }: { attempt: Attempt; isFilteredOut: boolean }) {
  const { apiKey, additions } = useSession()
  const { go, open } = useNavigation()
  const { outcome } = attempt
  if (outcome.kind === 'unknown' && isSafeToRepeat(attempt, apiKey))
    return (
      <Button look="small" onClick={() => additions.retry(attempt, apiKey)}>
        Try again
      </Button>
    )
  if (outcome.kind === 'refused') {
    const correct = () => {
      additions.takeUp(attempt)
      open('add')
    }
    return (
      <Button look="small" onClick={correct}>
        Correct it
      </Button>
    )
  }
  if (outcome.kind === 'added' && isFilteredOut)
    return (
      <Button look="small" onClick={() => go({ status: outcome.pet.status as PetStatus })}>
        Show {outcome.pet.status} animals
      </Button>
    )
  return null
}

/** What the form has to say beside its fields: a lost response, a refusal, that one is offline. */
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

/** The response is missing, not the animal: the one thing that must not be taken for a failure. */
function LostNote({ attempt, isOnline }: { attempt: Attempt; isOnline: boolean }) {
  const { outcome } = attempt
  const failure = outcome.kind === 'unknown' ? outcome.failure : undefined
  return (
    <div class="failure stack">
      <div role="alert">
        <p class="failure-title">
          <Name name={attempt.draft.name} /> may have been added
        </p>
        <p>
          {failure
            ? `${failureText(failure.code, isOnline).title}, so`
            : 'The page was reloaded before the response arrived, so'}{' '}
          it is not known. Trying again is safe: the animal is added once.
        </p>
      </div>
      {failure && <FailureDetails failure={failure} />}
    </div>
  )
}
