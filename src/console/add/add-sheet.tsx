import { useEffect, useMemo, useRef } from 'preact/hooks'
import { PET_STATUSES } from '../../../client/src/index.ts'
import { useNavigation } from '../list/view.ts'
import { Button, Choice, TextField } from '../parts/fields.tsx'
import { useObserved, useSlow } from '../parts/hooks.ts'
import { Name, StatusGlyph } from '../parts/labels.tsx'
import { RequestDetails } from '../parts/request-details.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { categoriesOf } from '../pets/select.ts'
import { useSession, useSettings } from '../session/session.ts'
import type { Form } from './additions.ts'
import { type Draft, type Problems, withCategoryNumber } from './draft.ts'
import { AttemptNote, FormNote } from './notes.tsx'

const FORM_ID = 'add-form'
const MOST_CATEGORIES = 50

/** The form, in a sheet above the list. Its whole state is in the additions, so it may be closed at any time. */
export function AddSheet() {
  const { apiKey, additions } = useSession()
  const { close } = useNavigation()
  const { form, attempts, added, exchange } = useObserved(additions.state)
  const { kind } = form.state
  const isSlow = useSlow(kind === 'sending')
  const fields = useRef<HTMLFormElement>(null)
  useEffect(() => {
    additions.open(apiKey)
    return () => additions.leave()
  }, [additions, apiKey])

  // Moves the focus only after a submit, never while someone is typing.
  const focus = (problems: Problems, otherwise?: keyof Draft) => {
    const field = problems.name ? 'name' : problems.category ? 'category' : otherwise
    if (field) fields.current?.querySelector<HTMLElement>(`[name=${field}]`)?.focus()
  }
  const submit = () => focus(additions.submit(apiKey))
  const submitAndStartAnother = () => focus(additions.submitAndStartAnother(apiKey), 'name')
  const isEditing = kind === 'editing'

  const footer = (
    <>
      <button
        type="submit"
        form={FORM_ID}
        class="button button-primary button-wide"
        aria-disabled={kind === 'sending'}
      >
        {submitText(form)}
      </button>
      {isEditing && (
        <Button
          aria-keyshortcuts="Control+Enter"
          title="Ctrl+Enter"
          // The second click of a double click would find the form empty.
          onClick={({ detail }) => (detail > 1 ? focus({}, 'name') : submitAndStartAnother())}
        >
          Add and start another
        </Button>
      )}
      {kind !== 'sending' && form.draft.name !== '' && (
        <Button look="quiet" onClick={() => additions.clear()}>
          {isEditing ? 'Clear' : 'Start another'}
        </Button>
      )}
      <button type="button" class="button button-quiet push" onClick={close}>
        Cancel
      </button>
    </>
  )
  return (
    <Sheet title="Add an animal" footer={footer}>
      {attempts.map(
        attempt =>
          attempt !== additions.inForm() && <AttemptNote key={attempt.key} attempt={attempt} isInSheet />,
      )}
      <form
        class="stack"
        id={FORM_ID}
        ref={fields}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
        onKeyDown={event => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          if (event.repeat) return
          if (isEditing) submitAndStartAnother()
          else submit()
        }}
      >
        <Fields form={form} onEdit={change => additions.edit(change)} />
        <FormNote />
        <p class="small muted" role="status">
          {isSlow ? 'Still waiting for the service. If you cancel now, the animal may still be added.' : ''}
        </p>
      </form>
      {added.length > 0 && (
        <details class="fold">
          <summary>Added since you signed in: {added.length}</summary>
          <ol class="plain-list small">
            {added.toReversed().map(pet => (
              <li key={String(pet.id)}>
                <Name name={pet.name} /> <span class="muted">ID {String(pet.id)}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
      <RequestDetails exchange={exchange} />
    </Sheet>
  )
}

function submitText({ state }: Form): string {
  switch (state.kind) {
    case 'sending':
      return 'Adding…'
    case 'lost':
      return 'Try again'
    case 'editing':
      return state.failure?.code === 'rate_limited' ? 'Try again' : 'Add animal'
  }
}

interface FieldsProps {
  readonly form: Form
  readonly onEdit: (change: Partial<Draft>) => void
}

function Fields({ form: { draft, problems, state }, onEdit }: FieldsProps) {
  const isSent = state.kind !== 'editing'
  const { categoryNames } = useSettings()
  const { category } = withCategoryNumber(draft, categoryNames)
  // The number for a typed name, or the name for a typed number.
  const meant = category === draft.category.trim() ? categoryNames[category] : `Category ${category}`
  return (
    <>
      <TextField
        id="name"
        label="Name"
        problem={problems.name}
        hint="Kept exactly as you type it."
        name="name"
        required
        dir="auto"
        readOnly={isSent}
        value={draft.name}
        onInput={event => onEdit({ name: event.currentTarget.value })}
      />
      {/* Not a number field: those round. Not a numeric keyboard: on iOS it has no minus sign. */}
      <TextField
        id="category"
        label="Category"
        problem={problems.category}
        hint={meant ?? 'A whole number, such as 7, or a name you gave a category.'}
        class="input number"
        name="category"
        list="known-categories"
        autocapitalize="off"
        spellcheck={false}
        required
        readOnly={isSent}
        value={draft.category}
        onInput={event => onEdit({ category: event.currentTarget.value })}
      />
      <KnownCategories />
      <Choice
        legend="Status"
        name="status"
        values={PET_STATUSES}
        value={draft.status}
        isOff={isSent}
        onChange={status => onEdit({ status })}
      >
        {status => (
          <>
            <StatusGlyph status={status} />
            {status}
          </>
        )}
      </Choice>
      {!isSent && <TwinNote draft={draft} />}
    </>
  )
}

/** The categories in use, suggested while one is being typed. */
function KnownCategories() {
  const { index } = useSession()
  const { pets, readAt } = useObserved(index.state)
  const { categoryNames } = useSettings()
  const known = useMemo(
    () => new Set([...Object.keys(categoryNames), ...categoriesOf(pets).slice(0, MOST_CATEGORIES)]),
    [pets, readAt, categoryNames],
  )
  return (
    <datalist id="known-categories">
      {[...known].map(category => (
        <option key={category} value={category} label={categoryNames[category] ?? category} />
      ))}
    </datalist>
  )
}

/** A quiet hint, because two animals may well have the same name. */
function TwinNote({ draft }: { draft: Draft }) {
  const { index } = useSession()
  const { pets } = useObserved(index.state)
  const { categoryNames } = useSettings()
  const { category } = withCategoryNumber(draft, categoryNames)
  const twin = draft.name && pets.find(pet => pet.name === draft.name && String(pet.categoryId) === category)
  return (
    <p class="small hint" role="status">
      {twin && `There is already an animal with this name and category: ID ${twin.id}, ${twin.status}.`}
    </p>
  )
}
