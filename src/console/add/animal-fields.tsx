import { useCategoryName } from '../category/category.tsx'
import { facts } from '../page-facts.ts'
import { Field } from '../parts/field.tsx'
import { StatusDot } from '../parts/status.tsx'
import type { Form } from './additions.ts'
import type { Draft } from './draft.ts'

/** Shown once it matters: close to the limit. */
const CLOSE_TO_LIMIT = 0.8

interface Props {
  readonly form: Form
  readonly onEdit: (change: Partial<Draft>) => void
}

export function AnimalFields({ form: { draft, problems }, onEdit }: Props) {
  // Code points, as the contract counts; the browser's own maxlength counts otherwise.
  const length = [...draft.name].length
  const categoryName = useCategoryName(draft.category.trim())
  const isLong = length > facts.nameMaxLength * CLOSE_TO_LIMIT
  return (
    <>
      <Field
        id="name"
        label="Name"
        problem={problems.name}
        hint={isLong ? `${length} of ${facts.nameMaxLength} characters` : 'Kept exactly as you type it.'}
      >
        {described => (
          <input
            {...described}
            class="input"
            name="name"
            type="text"
            autocomplete="off"
            required
            dir="auto"
            value={draft.name}
            onInput={event => onEdit({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field
        id="category"
        label="Category"
        problem={problems.categoryId}
        hint={
          categoryName ? `${categoryName} (your name for it, in this browser)` : 'A whole number, such as 7.'
        }
      >
        {/* Not a number field: those round. Not a numeric keyboard: on iOS it has no minus sign. */}
        {described => (
          <input
            {...described}
            class="input number"
            name="categoryId"
            type="text"
            inputmode="text"
            autocapitalize="off"
            spellcheck={false}
            autocomplete="off"
            required
            value={draft.category}
            onInput={event => onEdit({ category: event.currentTarget.value })}
          />
        )}
      </Field>
      <fieldset class="field">
        <legend>Status</legend>
        <div class="segments">
          {facts.statuses.map(status => (
            <label key={status} class="segment">
              <input
                type="radio"
                name="status"
                value={status}
                checked={draft.status === status}
                onChange={() => onEdit({ status })}
              />
              <StatusDot status={status} />
              {status}
            </label>
          ))}
        </div>
        {problems.status && (
          <p class="problem" role="alert">
            {problems.status}
          </p>
        )}
      </fieldset>
    </>
  )
}
