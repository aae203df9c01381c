import { useEffect, useRef } from 'preact/hooks'
import { AuthenticationError } from '../../../client/src/index.ts'
import { AddSheet } from '../add/add-sheet.tsx'
import { useObserved, useTimer, useTitle, useWindowEvents } from '../parts/hooks.ts'
import { RequestDetails } from '../parts/request-details.tsx'
import { lazy } from '../parts/sheet.tsx'
import { useSession, useSettings } from '../session/session.ts'
import { Notes } from './notes.tsx'
import { PetList } from './pet-list.tsx'
import { Filters, FindBox, TitleRow } from './toolbar.tsx'
import { NavigationProvider, titleOf, useNavigation, useView } from './view.ts'

const LOOK_FOR_NEWS_MS = 15_000
const LOOK_FOR_RETRY_MS = 1000

/** Parts that the first view does not need are loaded on first use. */
const AnimalSheet = lazy(async () => (await import('../sheets/animal-sheet.tsx')).AnimalSheet)
const ImportSheet = lazy(async () => (await import('../sheets/import-sheet.tsx')).ImportSheet)
const ExportSheet = lazy(async () => (await import('../sheets/export-sheet.tsx')).ExportSheet)
const HelpSheet = lazy(async () => (await import('../sheets/help-sheet.tsx')).HelpSheet)

export function AnimalsPage() {
  const { index, additions, importing, leave } = useSession()
  const navigation = useView()
  const { view, open, close } = navigation
  const { failure, retryAt, exchange } = useObserved(index.state)
  const { hasShortcuts } = useSettings()
  const find = useRef<HTMLDivElement>(null)
  useTitle(titleOf(view))

  const lookIfSeen = () => {
    if (document.visibilityState !== 'visible' || !navigator.onLine) return
    if (failure ? Date.now() >= retryAt : !index.isLimited) void index.refresh()
  }
  useTimer(failure ? LOOK_FOR_RETRY_MS : LOOK_FOR_NEWS_MS, lookIfSeen)
  useWindowEvents(['online'], () => void index.refresh())
  useEffect(() => {
    document.addEventListener('visibilitychange', lookIfSeen)
    return () => document.removeEventListener('visibilitychange', lookIfSeen)
  })
  useEffect(() => {
    void index.refresh()
    return () => {
      index.stop()
      // An import ends when its API key is signed out.
      importing.value?.pause()
    }
  }, [index, importing])

  useEffect(() => {
    if (failure instanceof AuthenticationError) leave(failure.message)
  }, [failure])
  useEffect(
    () =>
      additions.listen({
        onAdded: (pet, isFormDone) => {
          index.own(pet)
          void index.refresh()
          if (isFormDone) close()
        },
        onRefused: leave,
      }),
    [additions, index, close],
  )

  useShortcuts(hasShortcuts, {
    '/': () => find.current?.querySelector('input')?.focus(),
    n: () => open('add'),
    r: () => void index.refresh(),
    '?': () => open('help'),
  })

  return (
    <NavigationProvider value={navigation}>
      <TitleRow />
      <div class="row" ref={find}>
        <FindBox />
        <Filters />
      </div>
      <Notes />
      <PetList />
      <RequestDetails exchange={exchange} />
      <OpenedSheet />
    </NavigationProvider>
  )
}

function OpenedSheet() {
  const { sheet } = useNavigation().view
  if (typeof sheet === 'object') return <AnimalSheet key={sheet.animal} id={sheet.animal} />
  const Opened = sheet && { add: AddSheet, import: ImportSheet, export: ExportSheet, help: HelpSheet }[sheet]
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
