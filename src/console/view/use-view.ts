import { useCallback, useEffect, useState } from 'preact/hooks'
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
}

const placeOf = (state: unknown): Place => ({ trail: [], isOpenedHere: false, ...(state as object | null) })

const current = () => ({
  view: viewOf(location.search, location.hash, facts),
  place: placeOf(history.state),
})

/** The view that the address names. Going back and forward, a reload and a link all lead to the same. */
export function useView(): Navigation {
  const [{ view, place }, setCurrent] = useState(current)
  useEffect(() => {
    const follow = () => setCurrent(current())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = useCallback((change: Partial<View>, moved: Partial<Place> = {}) => {
    const now = current()
    history.pushState({ ...now.place, ...moved }, '', addressOf({ ...now.view, ...change }, facts))
    setCurrent(current())
  }, [])
  return { view, ...place, go }
}
