import type { ComponentChildren } from 'preact'
import { Button } from '../parts/fields.tsx'
import { useSession } from '../session/session.ts'
import { useListing } from './listing.ts'
import { useNavigation } from './view.ts'

/** Why the list is empty, and what to do next. */
export function Empty() {
  const { additions } = useSession()
  const { view, go, open } = useNavigation()
  const { status, category, query } = view
  const { stored } = useListing()
  const addSearched = () => {
    additions.suggest(query)
    open('add')
  }
  const clearFilters = () => go({ status: undefined, category: undefined })
  const what = ['No', ...(status ? [status] : []), 'animal'].join(' ')
  if (query !== '')
    return stateOf(
      `${what} found`,
      `Nothing matches “${query}”.`,
      <Button onClick={() => go({ query: '' })}>Clear the search</Button>,
      (status || category) && <Button onClick={clearFilters}>Search all animals</Button>,
      <Button onClick={addSearched}>Add “{query}”</Button>,
    )
  if (stored > 0)
    return stateOf(
      `${what}s${category ? ' in this category' : ''}`,
      `There are animals ${status ? 'with another status' : 'in other categories'}.`,
      <Button onClick={clearFilters}>Show all animals</Button>,
    )
  return stateOf(
    'No animals yet',
    'A name and a category are enough to add the first one.',
    <Button look="primary" onClick={() => open('add')}>
      Add the first animal
    </Button>,
    <Button onClick={() => open('import')}>Import a file</Button>,
  )
}

const stateOf = (title: string, text: string, ...steps: ComponentChildren[]) => (
  <div class="empty stack" role="status">
    <svg viewBox="0 0 96 64" aria-hidden="true">
      <path d="M12 34 48 10l36 24M20 30v24h56V30M38 54V42a10 10 0 0 1 20 0v12M6 54h84" />
    </svg>
    <h2>{title}</h2>
    <p class="muted">{text}</p>
    <div class="actions row">{steps}</div>
  </div>
)
