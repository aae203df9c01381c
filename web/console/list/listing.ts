import { useMemo } from 'preact/hooks'
import { context, useObserved } from '../parts/hooks.ts'
import { ordered, surveyOf } from '../pets/select.ts'
import { useSession, useSettings } from '../session/session.ts'
import type { View } from './view.ts'

const NO_NAMES = {}

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
  return {
    ...survey,
    /** Whether all animals have been read. Before, there are no rows and no numbers. */
    isComplete,
    stored: pets.length,
    page: shownPage,
    pages,
    shown: survey.found.slice((shownPage - 1) * rows, shownPage * rows),
  }
}

export const [ListingProvider, useListing] = context<ReturnType<typeof useNewListing>>('The listing')
