import { useEffect, useRef } from 'preact/hooks'
import { environment } from '../../page.ts'
import { Button, ViewLink } from '../parts/fields.tsx'
import { useObserved } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { animals, grouped, matchesText, rangeText } from '../parts/words.ts'
import { useSession, useSettings } from '../session/session.ts'
import { useListing } from './listing.ts'
import { PetTable } from './pet-table.tsx'
import { Reading } from './reading.tsx'
import { ALL, capital, ROWS, useNavigation, type View } from './view.ts'

export function PetList() {
  const { index } = useSession()
  const { found, isShown, isBusy } = useListing()
  const { readAt, failure } = useObserved(index.state)
  // The note about the failure stands in its place.
  if (failure && !isShown) return null
  return (
    <section class="card list" aria-label="The animals" aria-busy={isBusy || !isShown}>
      <p class="list-head on-paper">
        Petstore, {environment()}, {readAt && new Date(readAt).toLocaleString()}
      </p>
      <Chosen />
      {found.length > 0 && [<PetTable />, <Pager />]}
      {isShown ? found.length === 0 && !failure && <Empty /> : <Reading />}
    </section>
  )
}

/** How many there are, and the filters that can be removed. Always there, to announce what was found. */
function Chosen() {
  const { found, outOf, isShown, isBusy, isFiltered, page, pages } = useListing()
  const { view, go } = useNavigation()
  const { status, category, query, sort } = view
  const { categoryNames } = useSettings()
  const counted = query === '' ? animals(found.length) : matchesText(found.length, outOf)
  const order = sort === 'id' ? 'oldest first' : sort?.replace(/^-?/, 'by ')
  const chip = (name: string, to: Partial<View>) => (
    <ViewLink class="chip" to={to} aria-label={`Remove the filter ${name}`}>
      {name}
      <Icon name="x" />
    </ViewLink>
  )
  return (
    <div class={isFiltered ? 'chosen row' : 'hidden'}>
      <p role="status">
        <strong>{isShown && (isBusy ? '…' : counted)}</strong>
        {order && `, ${order}${sort?.startsWith('-') ? ', reversed' : ''}`}
        {page > 1 && <span class="hidden">{`, page ${page} of ${pages}`}</span>}
      </p>
      {status && chip(capital(status), { status: undefined })}
      {category && chip(categoryNames[category] ?? `Category ${category}`, { category: undefined })}
      {isFiltered && (
        <Button look="quiet small" onClick={() => go(ALL)}>
          Clear all
        </Button>
      )}
    </div>
  )
}

function Pager() {
  const { found, shown, page, pages } = useListing()
  const { view, go } = useNavigation()
  const nav = useRef<HTMLElement>(null)
  const first = (page - 1) * view.rows
  // The next page is read from its beginning.
  useEffect(() => {
    const list = nav.current?.parentElement
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView()
  }, [page])
  const step = (label: string, icon: 'first' | 'left' | 'right' | 'last', to: number) => (
    <Button
      look="quiet square"
      aria-label={label}
      title={label}
      isOff={to < 1 || to > pages || to === page}
      onClick={() => go({ page: to })}
    >
      <Icon name={icon} />
    </Button>
  )
  return (
    <nav class="pager row" aria-label="Pages of the list" ref={nav}>
      <p class="small muted">{rangeText(first + 1, shown.length, found.length)}</p>
      {found.length > ROWS[0] && (
        <label class="small muted row wide">
          Rows
          <select
            value={view.rows}
            onChange={({ currentTarget: { value } }) =>
              go({ rows: Number(value), page: Math.floor(first / Number(value)) + 1 })
            }
          >
            {ROWS.map(rows => (
              <option key={rows}>{rows}</option>
            ))}
          </select>
        </label>
      )}
      {pages > 1 && (
        <div class="row nowrap">
          {step('First page', 'first', 1)}
          {step('Previous page', 'left', page - 1)}
          <span class="small">
            Page {grouped(page)} of {grouped(pages)}
          </span>
          {step('Next page', 'right', page + 1)}
          {step('Last page', 'last', pages)}
        </div>
      )}
    </nav>
  )
}

function Empty() {
  const { additions } = useSession()
  const { view, go, open } = useNavigation()
  const { stored, isComplete } = useListing()
  const { query } = view
  const isEmpty = isComplete && stored === 0
  const addSearched = () => {
    additions.suggest(query)
    open('add')
  }
  return (
    <div class="empty stack" role="status">
      <h2>{isEmpty ? 'No animals yet' : 'No animal matches'}</h2>
      <p class="muted">
        {isEmpty
          ? 'A name and a category are enough to add the first one.'
          : 'Look for something else, or add it.'}
      </p>
      <div class="row">
        {!isEmpty && <Button onClick={() => go(ALL)}>Show all animals</Button>}
        {!isEmpty && query && <Button onClick={addSearched}>Add “{query}”</Button>}
        {isEmpty && (
          <Button look="primary" onClick={() => open('add')}>
            Add the first animal
          </Button>
        )}
        {isEmpty && <Button onClick={() => open('import')}>Import a file</Button>}
      </div>
    </div>
  )
}
