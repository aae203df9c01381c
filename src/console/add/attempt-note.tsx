import type { PetStatus } from '../../../client/src/index.ts'
import { useNavigation } from '../list/use-view.ts'
import { FailureDetails, failureText } from '../parts/failure.tsx'
import { Button } from '../parts/fields.tsx'
import { useTimer } from '../parts/hooks.ts'
import { Name } from '../parts/labels.tsx'
import { useSession } from '../session/session.ts'
import { type Attempt, isSafeToRepeat, latestOf } from './attempt.ts'

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
            <Name name={latestOf(attempt).name} />
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
