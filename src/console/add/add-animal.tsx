import { useEffect, useRef } from 'preact/hooks'
import { useObserved } from '../parts/observed.ts'
import { Sheet } from '../parts/sheet.tsx'
import { useSlow } from '../parts/slow.ts'
import { RequestDetails } from '../request/request-details.tsx'
import type { Additions } from './additions.ts'
import { AnimalFields } from './animal-fields.tsx'
import { AttemptNote } from './attempt-note.tsx'
import { FormNote } from './form-note.tsx'

interface Props {
  readonly apiKey: string
  readonly additions: Additions
  readonly onClose: () => void
}

/** The form, in a sheet above the list. All that it knows is in the additions: it may be closed at any time. */
export function AddAnimal({ apiKey, additions, onClose }: Props) {
  const { form, attempts, exchange } = useObserved(additions.state)
  const attempt = attempts.find(({ key }) => key === form.key)
  const isPending = attempt?.outcome.kind === 'pending'
  const isUnknown = attempt?.outcome.kind === 'unknown'
  const isSlow = useSlow(isPending)
  const fields = useRef<HTMLFormElement>(null)

  useEffect(() => {
    additions.open(apiKey)
    return () => additions.leave()
  }, [additions, apiKey])

  useEffect(() => {
    if (Object.keys(form.problems).length > 0)
      fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form.problems])

  const submit = (isAnotherWanted: boolean) => {
    additions.submit(apiKey, isAnotherWanted)
    if (isAnotherWanted) fields.current?.querySelector('input')?.focus()
  }

  return (
    <Sheet title="Add an animal" onClose={onClose}>
      {attempts
        .filter(({ key }) => key !== form.key)
        .map(other => (
          <AttemptNote key={other.key} attempt={other} apiKey={apiKey} additions={additions} />
        ))}
      <form
        ref={fields}
        onSubmit={event => {
          event.preventDefault()
          submit(false)
        }}
        noValidate
      >
        <AnimalFields form={form} onEdit={change => additions.edit(change)} />
        <FormNote form={form} attempt={attempt} />
        <div class="sheet-actions">
          <button type="submit" class="button button-primary" aria-disabled={isPending}>
            {submitText(isPending, isUnknown, form)}
          </button>
          {!isPending && !isUnknown && !form.isFirstAdded && (
            <button type="button" class="button" onClick={() => submit(true)}>
              Add and start another
            </button>
          )}
          {!isPending && form.draft.name !== '' && (
            <button type="button" class="button button-quiet" onClick={() => additions.clear()}>
              Clear
            </button>
          )}
          <button type="button" class="button button-quiet sheet-cancel" onClick={onClose}>
            Cancel
          </button>
        </div>
        <p class="small muted" role="status">
          {isSlow ? 'Still waiting for the service. If you cancel now, the animal may still be added.' : ''}
        </p>
      </form>
      <RequestDetails exchange={exchange} />
    </Sheet>
  )
}

function submitText(
  isPending: boolean,
  isUnknown: boolean,
  form: Additions['state']['value']['form'],
): string {
  if (isPending) return 'Adding…'
  if (form.isFirstAdded) return 'Add this one as well'
  return isUnknown || form.failure?.code === 'rate_limited' ? 'Try again' : 'Add animal'
}
