import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { facts } from '../page-facts.ts'
import { addressOf, type View, viewOf } from './view.ts'

/** Where the pages before this one start, the first page as null. The API has no link back, so the way here is kept. */
export type Trail = readonly (string | null)[]

interface Place {
  readonly trail: Trail
  /** Whether the form was opened from the list, so that going back closes it. */
  readonly isOpenedHere: boolean
}

export interface Navigation extends Place {
  readonly view: View
  readonly go: (change: Partial<View>, place?: Partial<Place>) => void
  readonly openForm: () => void
  readonly closeForm: () => void
}

const placeOf = (state: unknown): Place => ({ trail: [], isOpenedHere: false, ...(state as object | null) })

const current = () => ({
  view: viewOf(location.search, location.hash, facts),
  place: placeOf(history.state),
})

/** The view that the address names. Going back and forward, a reload and a link all lead to the same. */
export function useView(): Navigation {
  const [{ view, place }, setCurrent] = useState(current)
  // From the moment that the form is left until the address says so: a second step back would lead out of the console.
  const isLeaving = useRef(false)

  useEffect(() => {
    const follow = () => {
      isLeaving.current = false
      setCurrent(current())
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  const go = useCallback((change: Partial<View>, moved: Partial<Place> = {}) => {
    const now = current()
    history.pushState({ ...now.place, ...moved }, '', addressOf({ ...now.view, ...change }, facts))
    setCurrent(current())
  }, [])

  const openForm = useCallback(() => {
    if (!current().view.isAdding) go({ isAdding: true }, { isOpenedHere: true })
  }, [go])

  const closeForm = useCallback(() => {
    const now = current()
    if (isLeaving.current || !now.view.isAdding) return
    const view = { ...now.view, isAdding: false }
    const place = { ...now.place, isOpenedHere: false }
    if (now.place.isOpenedHere) {
      isLeaving.current = true
      history.back()
    } else history.replaceState(place, '', addressOf(view, facts))
    setCurrent({ view, place })
  }, [])

  return { view, ...place, go, openForm, closeForm }
}
