import { FailureDetails, FailureNote, failureText } from '../parts/failure.tsx'
import { useOnline } from '../parts/hooks.ts'
import { Name } from '../parts/labels.tsx'
import type { Form } from './additions.ts'
import { type Attempt, latestOf } from './attempt.ts'

interface Props {
  readonly form: Form
  readonly attempt: Attempt | undefined
}

/** What the form has to say beside its fields: lost responses, refusals, and that one is offline. */
export function FormNote({ form: { state }, attempt }: Props) {
  const isOnline = useOnline()
  if (state.kind === 'superseded')
    return (
      <div class="failure stack" role="alert">
        <p class="failure-title">The first version was added</p>
        <p>Its response was lost, and you have changed the form since. What you see here was not added.</p>
      </div>
    )
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
          <Name name={latestOf(attempt).name} /> may have been added
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
