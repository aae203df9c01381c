import { useState } from 'preact/hooks'
import { facts } from '../page-facts.ts'
import { Field } from '../parts/field.tsx'
import { StatusDot } from '../parts/status.tsx'
import type { Problems } from './field-problems.ts'

/** Shown once it matters: close to the limit. */
const CLOSE_TO_LIMIT = 0.8

export function AnimalFields({ problems }: { problems: Problems }) {
  const [name, setName] = useState('')
  // Code points, as the contract counts; the browser's own maxlength counts otherwise.
  const length = [...name].length
  return (
    <>
      <Field
        id="name"
        label="Name"
        problem={problems.name}
        hint={
          length > facts.nameMaxLength * CLOSE_TO_LIMIT
            ? `${length} of ${facts.nameMaxLength} characters`
            : `1 to ${facts.nameMaxLength} characters, kept exactly as you type them`
        }
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
            onInput={event => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        id="category"
        label="Category id"
        problem={problems.categoryId}
        hint={`A whole number from ${facts.int64Min} to ${facts.int64Max}`}
      >
        {/* Not a number field: those round. */}
        {described => (
          <input
            {...described}
            class="input number"
            name="categoryId"
            type="text"
            inputmode="numeric"
            autocomplete="off"
            required
          />
        )}
      </Field>
      <fieldset class="field">
        <legend>Status</legend>
        <div class="segments">
          {facts.statuses.map((status, index) => (
            <label key={status} class="segment">
              <input type="radio" name="status" value={status} defaultChecked={index === 0} />
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
