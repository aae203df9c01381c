import type { PetStatus } from '../../../client/src/index.ts'
import { FailureDetails } from '../parts/failure.tsx'
import { failureText } from '../parts/failure-text.ts'
import { Name } from '../parts/name.tsx'
import type { Navigation } from '../view/use-view.ts'
import type { View } from '../view/view.ts'
import type { Additions } from './additions.ts'
import { type Attempt, isSafeToRepeat, latestOf } from './attempt.ts'

interface Props {
  readonly attempt: Attempt
  readonly apiKey: string
  readonly additions: Additions
  /** Where the note stands in the list: what is filtered, and the ways to see and to change what it is about. */
  readonly place?: { readonly view: View; readonly go: Navigation['go']; readonly onOpen: () => void }
}

/** What became of one animal that was sent, for as long as that is news. */
export function AttemptNote({ attempt, apiKey, additions, place }: Props) {
  const { outcome } = attempt
  return (
    <div class={`note note-${outcome.kind}`}>
      <div role="status">
        <p>
          <strong>
            <Name name={latestOf(attempt).name} />
          </strong>{' '}
          {textOf(attempt, apiKey, place?.view)}
        </p>
        {'failure' in outcome && outcome.failure && place && <FailureDetails failure={outcome.failure} />}
      </div>
      <div class="actions">
        <Ways attempt={attempt} apiKey={apiKey} additions={additions} {...(place && { place })} />
        {outcome.kind !== 'pending' && (
          <button
            type="button"
            class="button button-quiet button-small"
            onClick={() => additions.dismiss(attempt)}
          >
            Dismiss
          </button>
        )}
      </div>
    </div>
  )
}

function textOf(attempt: Attempt, apiKey: string, view: View | undefined): string {
  const { outcome } = attempt
  switch (outcome.kind) {
    case 'pending':
      return 'may still be added. Waiting for the response…'
    case 'added':
      return `was added with ID ${outcome.pet.id}.${
        view && isFilteredOut(attempt, view) ? ` It is ${outcome.pet.status}, so it is not in this list.` : ''
      }`
    case 'refused':
      return `was not added. ${failureText(outcome.failure.code, true).title}.`
    case 'unknown':
      return isSafeToRepeat(attempt, apiKey)
        ? 'may have been added: the response was lost. Trying again is safe: the animal is added once.'
        : 'may have been added: the response was lost. Look for it in the list before you add it again.'
  }
}

const isFilteredOut = ({ outcome }: Attempt, { status }: View): boolean =>
  outcome.kind === 'added' && status !== undefined && status !== outcome.pet.status

function Ways({ attempt, apiKey, additions, place }: Props) {
  const { outcome } = attempt
  if (outcome.kind === 'unknown' && isSafeToRepeat(attempt, apiKey))
    return (
      <button type="button" class="button button-small" onClick={() => additions.retry(attempt, apiKey)}>
        Try again
      </button>
    )
  if (outcome.kind === 'refused' && place)
    return (
      <button
        type="button"
        class="button button-small"
        onClick={() => {
          additions.takeUp(attempt)
          place.onOpen()
        }}
      >
        Open the form
      </button>
    )
  if (outcome.kind === 'added' && place && isFilteredOut(attempt, place.view))
    return (
      <button
        type="button"
        class="button button-small"
        onClick={() =>
          place.go({ status: outcome.pet.status as PetStatus, cursor: undefined }, { trail: [] })
        }
      >
        Show {outcome.pet.status} animals
      </button>
    )
  return null
}
