import { useMemo } from 'preact/hooks'
import { context, useObserved, usePrinting } from '../parts/hooks.ts'
import { ordered, surveyOf } from '../pets/select.ts'
import { useSession, useSettings } from '../session/session.ts'
import type { View } from './view.ts'

const NO_NAMES = {}
/** More would take the browser long to print. */
const MOST_PRINTED = 1000

/** The animals of the view, shared by the list, the overview, the open animal and the export. */
export function useNewListing({ status, category, query, sort, rows, page }: View) {
  const { index } = useSession()
  const { pets, isComplete } = useObserved(index.state)
  const { categoryNames } = useSettings()
  const names = sort?.endsWith('category') ? categoryNames : NO_NAMES
  // Sorting takes longest, so it is not repeated for each search.
  const all = useMemo(() => ordered(pets, sort, names), [pets, sort, names])
  const survey = useMemo(
    () => surveyOf(all, { status, category, query }, categoryNames),
    [all, status, category, query, categoryNames],
  )
  const pages = Math.max(1, Math.ceil(survey.found.length / rows))
  // A linked page may be beyond the last page.
  const shownPage = Math.min(page, pages)
  const isPrinting = usePrinting()
  const onPage = survey.found.slice((shownPage - 1) * rows, shownPage * rows)
  const shown = isPrinting && survey.found.length <= MOST_PRINTED ? survey.found : onPage
  return {
    ...survey,
    isPrinting,
    /** Whether all animals are loaded, so that the numbers are right. */
    isCounted: isComplete,
    /** How many animals are loaded. */
    stored: pets.length,
    page: shownPage,
    pages,
    /** The animals of the page. */
    shown,
  }
}

export const [ListingProvider, useListing] = context<ReturnType<typeof useNewListing>>('The listing')
