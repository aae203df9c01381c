import { useMemo, useRef } from 'preact/hooks'
import { PET_STATUSES } from '../../../client/src/index.ts'
import { Choice, TextField } from '../parts/fields.tsx'
import { useObserved } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { StatusGlyph } from '../parts/labels.tsx'
import { animals } from '../parts/words.ts'
import { categoriesOf } from '../pets/select.ts'
import { useSession, useSettings } from '../session/session.ts'
import { type Draft, numberOf } from './draft.ts'

const MOST_CATEGORIES = 50
const MOST_PICKS = 5
const SEVERAL_LINES = 'Paste one name at a time. To add several animals together, import a file.'

export const focusField = (field: keyof Draft): void => document.getElementById(field)?.focus()

export function Fields() {
  const { index, additions } = useSession()
  const { pets } = useObserved(index.state)
  const { draft, problems, attempts } = useObserved(additions.state)
  const name = draft.name.trim()
  const category = numberOf(draft.category, useSettings().categoryNames)
  const twin = name && pets.find(pet => pet.name === name && String(pet.categoryId) === category)
  const isSent = attempts.some(one => one.draft.name === name && one.draft.category === category)
  return (
    <>
      <TextField
        id="name"
        label="Name"
        problem={problems.name}
        required
        dir="auto"
        value={draft.name}
        onInput={event => additions.edit({ name: event.currentTarget.value })}
        // The browser would join the lines to one name.
        onPaste={event => {
          if (!/[\r\n]/.test(event.clipboardData?.getData('text').trim() ?? '')) return
          event.preventDefault()
          additions.report({ name: SEVERAL_LINES })
        }}
      />
      <CategoryField />
      <Choice
        legend="Status"
        name="status"
        values={PET_STATUSES}
        value={draft.status}
        onChange={chosen => additions.edit({ status: chosen })}
      >
        {one => [<StatusGlyph status={one} />, one]}
      </Choice>
      {/* A quiet hint, because two animals may well have the same name. */}
      <p class="small hint live" role="status">
        {twin
          ? `There is already an animal with this name and category: ID ${twin.id}, ${twin.status}.`
          : isSent && 'An animal with this name and category is among your additions below.'}
      </p>
    </>
  )
}

function CategoryField() {
  const { index, additions } = useSession()
  const { draft, problems, lastCategory } = useObserved(additions.state)
  const { pets, isComplete } = useObserved(index.state)
  const { categoryNames } = useSettings()
  const lastKey = useRef('')
  const counts = useMemo(() => categoriesOf(pets), [pets])
  const known = new Set([...Object.keys(categoryNames), ...[...counts.keys()].slice(0, MOST_CATEGORIES)])
  // They stay where they are while animals are added.
  const picks = useMemo(
    () => [...new Set([lastCategory, ...counts.keys()].filter(Boolean))].slice(0, MOST_PICKS),
    [isComplete],
  )

  const category = numberOf(draft.category, categoryNames)
  // The number for a typed name, or the name for a typed number.
  const isNumber = category === draft.category.trim()
  const meant = isNumber ? known.has(category) && categoryNames[category] : `Category ${category}`
  const count = counts.has(category) ? animals(counts.get(category) ?? 0) : undefined
  const about = [meant, count].filter(Boolean).join(', ')
  return (
    <>
      {/* Not a number field: those round. Not a numeric keyboard: on iOS it has no minus sign. */}
      <TextField
        id="category"
        label="Category"
        problem={problems.category}
        hint={
          about
            ? `${about}. Or type another number or name.`
            : 'A number, such as 7, or a name you gave a category.'
        }
        list="known-categories"
        autocapitalize="off"
        spellcheck={false}
        required
        value={draft.category}
        onInput={event => additions.edit({ category: event.currentTarget.value })}
        // In WebKit, Enter would only close the suggestions. An arrow key may have chosen one, which Enter then takes.
        onKeyDown={event => {
          const isMeant = event.key === 'Enter' && !lastKey.current.startsWith('Arrow')
          lastKey.current = event.key
          // An input method's Enter, which has this code even if Safari has ended the composition before.
          if (!isMeant || event.keyCode === 229) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
      />
      {/* Suggested while one is being typed. */}
      <datalist id="known-categories">
        {[...known].map(one => (
          <option key={one} value={one} label={categoryNames[one] ?? one} />
        ))}
      </datalist>
      {/* For the pointer: the keyboard types one, so Tab leads from the field to the status. */}
      <fieldset class="row picks" aria-label="Often used categories">
        {picks.map(pick => (
          <button
            key={pick}
            type="button"
            class="button button-small pick"
            aria-pressed={pick === category}
            tabIndex={-1}
            title={`Category ${pick}`}
            // The focus stays in the field, where one types on.
            onMouseDown={event => event.preventDefault()}
            onClick={() => additions.edit({ category: pick })}
          >
            {pick === category && <Icon name="check" />}
            {categoryNames[pick] ?? pick}
          </button>
        ))}
      </fieldset>
    </>
  )
}
