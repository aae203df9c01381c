import { useEffect } from 'preact/hooks'
import { AuthenticationError } from '../../../client/src/index.ts'
import { AddSheet } from '../add/add-sheet.tsx'
import { ImportSheet } from '../import/import-sheet.tsx'
import { useObserved, useTimer, useTitle, useWindowEvents } from '../parts/hooks.ts'
import { useSession, useSettings } from '../session/session.ts'
import { SessionMenu } from '../session/session-menu.tsx'
import { AnimalSheet } from '../sheets/animal-sheet.tsx'
import { CategoriesSheet } from '../sheets/categories-sheet.tsx'
import { ExportSheet } from '../sheets/export-sheet.tsx'
import { HelpSheet } from '../sheets/help-sheet.tsx'
import { ListingProvider, useNewListing } from './listing.ts'
import { Notes } from './notes.tsx'
import { Overview } from './overview.tsx'
import { PetList } from './pet-list.tsx'
import { moveRow } from './pet-table.tsx'
import { Toolbar } from './toolbar.tsx'
import { NavigationProvider, titleOf, useNavigation, useView } from './view.ts'

const LOOK_FOR_NEWS_MS = 15_000
const RETRY_MS = 5000

const SHEETS = {
  add: AddSheet,
  import: ImportSheet,
  export: ExportSheet,
  help: HelpSheet,
  categories: CategoriesSheet,
} as const

export function AnimalsPage() {
  const { index, leave } = useSession()
  const navigation = useView()
  const { view, open } = navigation
  const listing = useNewListing(view)
  const { failure } = useObserved(index.state)
  const { hasShortcuts } = useSettings()
  useTitle(titleOf(view))

  const lookIfSeen = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) void index.refresh()
  }
  useTimer(failure ? RETRY_MS : LOOK_FOR_NEWS_MS, lookIfSeen)
  useWindowEvents(['visibilitychange'], lookIfSeen)
  useWindowEvents(['online'], () => void index.refresh())
  useEffect(() => {
    void index.refresh()
    return () => index.stop()
  }, [index])
  useEffect(() => index.readFirst(view.status), [index, view.status])
  useEffect(() => {
    if (failure instanceof AuthenticationError) leave(failure.message)
  }, [failure])

  useShortcuts(hasShortcuts && view.sheet === undefined, {
    '/': () => document.getElementById('find')?.focus(),
    n: () => open('add'),
    j: () => moveRow(1),
    k: () => moveRow(-1),
    '?': () => open('help'),
  })

  return (
    <NavigationProvider value={navigation}>
      <ListingProvider value={listing}>
        <SessionMenu />
        <main class="page">
          <Toolbar />
          <Notes />
          <Overview />
          <PetList />
          <OpenedSheet />
        </main>
      </ListingProvider>
    </NavigationProvider>
  )
}

function OpenedSheet() {
  const { sheet } = useNavigation().view
  if (typeof sheet === 'object') return <AnimalSheet id={sheet.animal} />
  const Opened = sheet && SHEETS[sheet]
  return Opened ? <Opened /> : null
}

/** Single-key shortcuts, active while nothing is being typed and no sheet is open. */
function useShortcuts(isOn: boolean, shortcuts: Readonly<Record<string, () => void>>): void {
  useWindowEvents(['keydown'], event => {
    const { target, key, ctrlKey, metaKey, altKey } = event as KeyboardEvent
    const isTyping = target instanceof Element && target.closest('input, textarea, select')
    const act = Object.hasOwn(shortcuts, key) ? shortcuts[key] : undefined
    if (!isOn || !act || isTyping || ctrlKey || metaKey || altKey) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    act()
  })
}
