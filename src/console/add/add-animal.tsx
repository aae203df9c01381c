import { useEffect, useRef } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { FailureNote } from '../parts/failure.tsx'
import { RequestDetails } from '../request/request-details.tsx'
import { AnimalFields } from './animal-fields.tsx'
import { useAddition } from './use-addition.ts'

interface Props {
  readonly apiKey: string
  readonly onAdded: (pet: Pet) => void
  readonly onClose: () => void
  readonly onRefused: (reason: string) => void
}

/** The form, in a sheet above the list. */
export function AddAnimal({ apiKey, onAdded, onClose, onRefused }: Props) {
  const { problems, failure, exchange, isSending, isSlow, send, sendAsAnother } = useAddition(apiKey, {
    onAdded,
    onRefused,
  })
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const shown = dialog.current
    const focusedBefore = document.activeElement as HTMLElement | null
    shown?.showModal()
    shown?.querySelector('input')?.focus()
    // A sheet that is taken away does not give the focus back by itself.
    return () => {
      shown?.close()
      focusedBefore?.focus()
    }
  }, [])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void send(new FormData(event.currentTarget as HTMLFormElement))
  }

  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby="add-title"
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
    >
      <form onSubmit={submit} noValidate>
        <div class="sheet-head">
          <h2 id="add-title">Add an animal</h2>
          <button type="button" class="button button-quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
        <AnimalFields problems={problems} />
        {problems[''] && (
          <p class="problem" role="alert">
            {problems['']}
          </p>
        )}
        {failure?.code === 'idempotency_key_reused' ? (
          <div class="failure">
            <div role="alert">
              <p class="failure-title">The first version of this animal was added</p>
              <p>Its answer was lost on the way, and you have changed the form since.</p>
            </div>
            <button type="button" class="button" onClick={sendAsAnother}>
              Add this one as well
            </button>
          </div>
        ) : (
          failure && <FailureNote failure={failure} />
        )}
        <button type="submit" class="button button-primary button-wide" aria-disabled={isSending}>
          {isSending ? 'Adding…' : failure ? 'Try again' : 'Add animal'}
        </button>
        <p class="small muted" role="status">
          {isSlow ? 'Still waiting for the service…' : ''}
        </p>
      </form>
      <RequestDetails exchange={exchange} />
    </dialog>
  )
}
