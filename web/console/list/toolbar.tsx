import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/fields.tsx'
import { useTimer } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import type { Sort } from '../pets/select.ts'
import { useSession, useSettings } from '../session/session.ts'
import { useNavigation } from './view.ts'

/** Searches after a pause in typing, because a search checks every animal. */
const PAUSE_MS = 200

export function Toolbar() {
  const { index } = useSession()
  const { open } = useNavigation()
  const title = useRef<HTMLHeadingElement>(null)
  // The form that had the focus is gone, so keyboard users continue from here.
  useEffect(() => title.current?.focus(), [])
  return (
    <div class="tools row">
      <h1 ref={title} tabIndex={-1}>
        Animals
      </h1>
      <FindBox />
      <div class="row nowrap push">
        <SortMenu />
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
            ['Refresh', () => void index.refresh()],
            ['Import…', () => open('import'), { look: 'narrow' }],
            ['Export…', () => open('export'), { look: 'narrow' }],
            ['Categories…', () => open('categories')],
          ]}
        >
          <span class="word">More</span>
        </Menu>
        <Button look="primary" onClick={() => open('add')}>
          <Icon name="plus" />
          Add animal
          <Key name="N" />
        </Button>
      </div>
    </div>
  )
}

/** The shortcut of a control, for those who see it. */
const Key = ({ name }: { name: string }) =>
  useSettings().hasShortcuts ? (
    <i class="kbd" aria-hidden="true">
      {name}
    </i>
  ) : null

const ORDERS: readonly (readonly [Sort, string])[] = [
  [undefined, 'Newest first'],
  ['id', 'Oldest first'],
  ['name', 'By name'],
  ['status', 'By status'],
  ['category', 'By category'],
]

/** A phone has no column heads to sort by, so the order is here too. */
function SortMenu() {
  const { view, go } = useNavigation()
  const orders = ORDERS.map(
    ([sort, label]): MenuItem => [label, () => go({ sort }), { isOn: view.sort === sort }],
  )
  return (
    <Menu label="Sort" icon="sliders" items={orders}>
      <span class="word">Sort</span>
    </Menu>
  )
}

function FindBox() {
  const { view, go, typed } = useNavigation()
  const [box, setBox] = useState({ text: view.query, view })
  // A step back or another control may have changed the query since; a blank at the end is no part of it.
  const text = box.view === view || box.text.trim() === view.query ? box.text : view.query
  const query = text.trim()
  const isWaiting = query !== view.query
  typed.current = isWaiting ? query : undefined
  const search = () => go({ sheet: view.sheet }, view.query !== '' || view.sheet !== undefined)
  useTimer(isWaiting ? PAUSE_MS : undefined, search, text)
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
        value={text}
        onInput={event => setBox({ text: event.currentTarget.value, view })}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          setBox({ text: '', view })
          if (view.query) go({ query: '' })
        }}
      />
      {text === '' && <Key name="/" />}
    </search>
  )
}
