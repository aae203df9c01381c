import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { PET_STATUSES, type PetStatus } from '../../../client/src/index.ts'
import { Button } from '../parts/fields.tsx'
import { useObserved, useTimer, useWindowEvents } from '../parts/hooks.ts'
import { grouped, StatusGlyph } from '../parts/labels.tsx'
import { countsOf } from '../pets/select.ts'
import { useBrowserSettings, useSession, useSettings } from '../session/session.ts'
import { addressOf, useNavigation } from './view.ts'

/** Searches after a pause in typing, because a search checks every animal. */
const PAUSE_MS = 200

export function TitleRow() {
  const { index } = useSession()
  const { view, go, open } = useNavigation()
  const { showsRequests } = useSettings()
  const settings = useBrowserSettings()
  const title = useRef<HTMLHeadingElement>(null)
  // The form that had the focus is gone, so keyboard users continue from here.
  useEffect(() => title.current?.focus(), [])
  const order = view.order === 'newest' ? 'oldest' : 'newest'
  return (
    <div class="row spread">
      <h1 ref={title} tabIndex={-1}>
        Animals
      </h1>
      <div class="actions row">
        <MoreMenu
          items={[
            { label: 'Refresh', onPick: () => void index.refresh() },
            { label: 'Import…', onPick: () => open('import') },
            { label: 'Export…', onPick: () => open('export') },
            { label: order === 'oldest' ? 'Oldest first' : 'Newest first', onPick: () => go({ order }) },
            {
              label: showsRequests ? 'Hide request details' : 'Show request details',
              onPick: () => settings.set({ showsRequests: !showsRequests }),
            },
            { label: 'Help and shortcuts', onPick: () => open('help') },
          ]}
        />
        <Button look="primary" onClick={() => open('add')}>
          Add animal
        </Button>
      </div>
    </div>
  )
}

/** Searches after a pause in typing, and then puts the query into the URL. */
export function FindBox() {
  const { view, go } = useNavigation()
  const [typed, setTyped] = useState(view.query)
  useEffect(() => setTyped(view.query), [view.query])
  const isWaiting = typed.trim() !== view.query
  const search = () => {
    const { sheet, query } = view
    go({ query: typed.trim(), sheet }, query !== '' || sheet !== undefined)
  }
  useTimer(isWaiting ? PAUSE_MS : undefined, search, typed)
  return (
    <search class="find">
      <input
        id="find"
        class="input"
        type="search"
        aria-label="Find"
        placeholder="Name, category or ID"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={event => setTyped(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          setTyped('')
          if (view.query) go({ query: '' })
        }}
      />
    </search>
  )
}

/** Filters with the number of matching animals. Each is a link, so that it can be opened in a new tab. */
export function Filters() {
  const { index } = useSession()
  const { pets, isComplete, readAt } = useObserved(index.state)
  const counts = useMemo(() => countsOf(pets), [pets, readAt])
  return (
    <nav aria-label="Filter by status" class="segments">
      <Filter status={undefined} count={isComplete ? pets.length : undefined} />
      {PET_STATUSES.map(status => (
        <Filter key={status} status={status} count={isComplete ? (counts.get(status) ?? 0) : undefined} />
      ))}
    </nav>
  )
}

interface FilterProps {
  readonly status: PetStatus | undefined
  /** Unknown until all animals are loaded. */
  readonly count: number | undefined
}

function Filter({ status, count }: FilterProps) {
  const { view, go } = useNavigation()
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go({ status })
  }
  return (
    <a
      class="segment"
      href={addressOf({ ...view, status, page: 1, sheet: undefined })}
      aria-current={view.status === status ? 'page' : undefined}
      onClick={follow}
    >
      {status && <StatusGlyph status={status} />}
      {status ?? 'all'}
      {count !== undefined && <span class="small muted number">{grouped(count)}</span>}
    </a>
  )
}

interface MenuItem {
  readonly label: string
  readonly onPick: () => void
}

/** Less frequent actions, in a menu button that follows the ARIA pattern. */
function MoreMenu({ items }: { items: readonly MenuItem[] }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) menu.current?.querySelector('button')?.focus()
  }, [isOpen])
  useWindowEvents(['pointerdown'], ({ target }) => {
    if (target instanceof Node && !menu.current?.parentElement?.contains(target)) setOpen(false)
  })
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const all = [...(menu.current?.querySelectorAll('button') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLButtonElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (next !== undefined) all.at(next % all.length)?.focus()
    if (next !== undefined || event.key === 'Escape') event.preventDefault()
  }
  return (
    <div class="menu">
      <button
        ref={button}
        type="button"
        class="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        More
      </button>
      {isOpen && (
        <div ref={menu} class="menu-items card" role="menu" aria-label="More" onKeyDown={move}>
          {items.map(({ label, onPick }) => (
            <button
              key={label}
              type="button"
              class="button button-quiet"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close()
                onPick()
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
