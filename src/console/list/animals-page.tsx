import { useEffect } from 'preact/hooks'
import { AuthenticationError } from '../../../client/src/index.ts'
import { useObserved, useTimer, useTitle, useWindowEvents } from '../parts/hooks.ts'
import { lazy } from '../parts/sheet.tsx'
import { Header, SessionMenu } from '../session/header.tsx'
import { useSession, useSettings } from '../session/session.ts'
import { ListingProvider, useNewListing } from './listing.ts'
import { Notes } from './notes.tsx'
import { Overview } from './overview.tsx'
import { PetList } from './pet-list.tsx'
import { moveRow } from './pet-table.tsx'
import { Toolbar } from './toolbar.tsx'
import { NavigationProvider, titleOf, useNavigation, useView } from './view.ts'

const LOOK_FOR_NEWS_MS = 15_000
const LOOK_FOR_RETRY_MS = 1000

/** Parts that the first view does not need are loaded on first use. */
const SHEETS = {
  add: lazy(async () => (await import('../add/add-sheet.tsx')).AddSheet),
  import: lazy(async () => (await import('../import/import-sheet.tsx')).ImportSheet),
  export: lazy(async () => (await import('../sheets/export-sheet.tsx')).ExportSheet),
  help: lazy(async () => (await import('../sheets/help-sheet.tsx')).HelpSheet),
  categories: lazy(async () => (await import('../sheets/categories-sheet.tsx')).CategoriesSheet),
} as const
const AnimalSheet = lazy(async () => (await import('../sheets/animal-sheet.tsx')).AnimalSheet)
const RequestDetails = lazy(async () => (await import('../parts/request-details.tsx')).RequestDetails)

export function AnimalsPage() {
  const { index, importing, leave } = useSession()
  const navigation = useView()
  const { view, go, open } = navigation
  const listing = useNewListing(view)
  const { failure, retryAt, exchange } = useObserved(index.state)
  const { hasShortcuts, showsRequests } = useSettings()
  useTitle(titleOf(view))

  const lookIfSeen = () => {
    if (document.visibilityState !== 'visible' || !navigator.onLine) return
    if (failure ? Date.now() >= retryAt : !index.isLimited) void index.refresh()
  }
  useTimer(failure ? LOOK_FOR_RETRY_MS : LOOK_FOR_NEWS_MS, lookIfSeen)
  useWindowEvents(['visibilitychange'], lookIfSeen)
  useWindowEvents(['online'], () => void index.refresh())
  useEffect(() => {
    void index.refresh()
    // The form is wanted most, and a shortcut must not lose what is typed next.
    SHEETS.add.preload()
    return () => {
      index.stop()
      // An import ends when its API key is signed out.
      importing.value?.pause()
    }
  }, [index])
  useEffect(() => {
    if (failure instanceof AuthenticationError) leave(failure.message)
  }, [failure])

  const turn = (step: number) => {
    const page = listing.page + step
    if (page >= 1 && page <= listing.pages) go({ page })
  }
  useShortcuts(hasShortcuts && view.sheet === undefined, {
    '/': () => document.getElementById('find')?.focus(),
    n: () => open('add'),
    r: () => void index.refresh(),
    j: () => moveRow(1),
    k: () => moveRow(-1),
    '[': () => turn(-1),
    ']': () => turn(1),
    '?': () => open('help'),
  })

  return (
    <NavigationProvider value={navigation}>
      <ListingProvider value={listing}>
        <Header>
          <SessionMenu />
        </Header>
        <main class="page">
          <Toolbar />
          <Notes />
          <Overview />
          <PetList />
          {showsRequests && exchange && <RequestDetails exchange={exchange} />}
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
    const isTyping = target instanceof Element && target.closest('input, textarea, select, [role=menu]')
    const act = Object.hasOwn(shortcuts, key) ? shortcuts[key] : undefined
    if (!isOn || !act || isTyping || ctrlKey || metaKey || altKey) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    act()
  })
}
