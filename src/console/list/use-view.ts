import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import { facts } from '../page.ts'
import { context, useWindowEvents } from '../parts/hooks.ts'
import { addressOf, type OpenSheet, type View, viewOf } from './view.ts'

export interface Navigation {
  readonly view: View
  /** Changes what the list shows. Another selection begins at its first page. */
  readonly go: (change: Partial<View>, isReplacing?: boolean) => void
  readonly open: (sheet: OpenSheet) => void
  readonly close: () => void
}

export const [NavigationProvider, useNavigation] = context<Navigation>('The navigation')

/** Whether a sheet was opened from the list, so that going back closes it. */
const isOpenedHere = (): boolean => Object(history.state).isOpenedHere === true

const currentView = (): View => viewOf(location.search, location.hash, facts.statuses)

/** The view that the address names. Going back and forward, a reload and a link all lead to the same. */
export function useView(): Navigation {
  const [view, setView] = useState(currentView)
  // From the moment that a sheet is left until the address says so: a second step back would lead out of the console.
  const isLeaving = useRef(false)
  useWindowEvents(['popstate'], () => {
    isLeaving.current = false
    setView(currentView())
  })

  const go = useCallback((change: Partial<View>, isReplacing = false) => {
    const address = addressOf({ ...currentView(), page: 1, sheet: undefined, ...change })
    if (isReplacing) history.replaceState(history.state, '', address)
    else history.pushState({}, '', address)
    setView(currentView())
  }, [])

  const open = useCallback((sheet: OpenSheet) => {
    const now = currentView()
    const address = addressOf({ ...now, sheet })
    if (now.sheet === undefined) history.pushState({ isOpenedHere: true }, '', address)
    else history.replaceState(history.state, '', address)
    setView(currentView())
  }, [])

  const close = useCallback(() => {
    const now = currentView()
    if (isLeaving.current || now.sheet === undefined) return
    const list = { ...now, sheet: undefined }
    if (isOpenedHere()) {
      isLeaving.current = true
      history.back()
    } else history.replaceState({}, '', addressOf(list))
    setView(list)
  }, [])

  return useMemo(() => ({ view, go, open, close }), [view])
}
