import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/fields.tsx'
import { useTimer } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import type { Sort } from '../pets/select.ts'
import { useBrowserSettings, useSession, useSettings } from '../session/session.ts'
import { useNavigation } from './view.ts'

/** Searches after a pause in typing, because a search checks every animal. */
const PAUSE_MS = 200

/** The title, and what can be done with the list. */
export function Toolbar() {
  const { index } = useSession()
  const { open } = useNavigation()
  const { hasShortcuts } = useSettings()
  const title = useRef<HTMLHeadingElement>(null)
  // The form that had the focus is gone, so keyboard users continue from here.
  useEffect(() => title.current?.focus(), [])
  return (
    <div class="tools row">
      <h1 ref={title} tabIndex={-1}>
        Animals
      </h1>
      <FindBox />
      <div class="row nowrap">
        <ViewMenu />
        <Button class="button wide" onClick={() => open('import')}>
          <Icon name="up" />
          Import
        </Button>
        <Button class="button wide" onClick={() => open('export')}>
          <Icon name="down-load" />
          Export
        </Button>
        <Menu
          label="More"
          icon="dots"
          items={[
            { label: 'Refresh', onPick: () => void index.refresh() },
            { label: 'Import…', onPick: () => open('import'), isForNarrow: true },
            { label: 'Export…', onPick: () => open('export'), isForNarrow: true },
            { label: 'Categories…', onPick: () => open('categories') },
            // Once the menu is closed, so that it is not printed.
            { label: 'Print…', onPick: () => setTimeout(print) },
          ]}
        />
        <Button look="primary" onClick={() => open('add')}>
          <Icon name="plus" />
          Add animal
          {hasShortcuts && (
            <span class="kbd" aria-hidden="true">
              N
            </span>
          )}
        </Button>
      </div>
    </div>
  )
}

const ORDERS: readonly (readonly [Sort, string])[] = [
  [undefined, 'Newest first'],
  ['id', 'Oldest first'],
  ['name', 'By name'],
  ['status', 'By status'],
  ['category', 'By category'],
]

/** How the list looks. A phone has no column heads to sort by, so the order is here too. */
function ViewMenu() {
  const { view, go } = useNavigation()
  const { isCompact, hidesOverview } = useSettings()
  const settings = useBrowserSettings()
  const orders = ORDERS.map(
    ([sort, label]): MenuItem => ({
      label,
      kind: 'radio',
      isOn: view.sort === sort,
      onPick: () => go({ sort }),
    }),
  )
  return (
    <Menu
      label="View"
      icon="sliders"
      items={[
        ...orders,
        {
          label: 'Compact rows',
          kind: 'checkbox',
          isOn: isCompact,
          startsGroup: true,
          onPick: () => settings.set({ isCompact: !isCompact }),
        },
        {
          label: 'Overview',
          kind: 'checkbox',
          isOn: !hidesOverview,
          onPick: () => settings.set({ hidesOverview: !hidesOverview }),
        },
      ]}
    />
  )
}

/** Searches after a pause in typing, and then puts the query into the URL. */
function FindBox() {
  const { view, go, type } = useNavigation()
  const { hasShortcuts } = useSettings()
  const [typed, setTyped] = useState(view.query)
  useEffect(() => setTyped(view.query), [view.query])
  const isWaiting = typed.trim() !== view.query
  type(isWaiting ? typed.trim() : undefined)
  const search = () => {
    const { sheet, query } = view
    go({ query: typed.trim(), sheet }, query !== '' || sheet !== undefined)
  }
  useTimer(isWaiting ? PAUSE_MS : undefined, search, typed)
  return (
    <search class="find">
      <Icon name="search" />
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
      {hasShortcuts && typed === '' && (
        <span class="kbd" aria-hidden="true">
          /
        </span>
      )}
    </search>
  )
}
