import { context, useObserved, useWork } from '../parts/hooks.ts'
import { ordered, surveyOf } from '../pets/select.ts'
import { useSession, useSettings } from '../session/session.ts'
import type { View } from './view.ts'

const NO_NAMES = {}

/** The animals of the view, shared by the list, the overview, the open animal and the export. */
export function useNewListing({ status, category, query, sort, rows, page }: View) {
  const { index } = useSession()
  const { isComplete } = useObserved(index.state)
  const { pets, isComplete: isShown } = index.listed(status)
  const { categoryNames } = useSettings()
  const names = sort?.endsWith('category') ? categoryNames : NO_NAMES
  // Sorting takes longest, so it is not repeated for each search.
  const [all, isSorting] = useWork(
    function* () {
      return { pets: yield* ordered(pets, sort, names), isComplete, isShown }
    },
    [pets, isComplete, isShown, sort, names],
  )
  const [survey, isSearching] = useWork(
    function* () {
      const selection = { status, category, query }
      return { ...all, selection, ...(yield* surveyOf(all.pets, selection, categoryNames)) }
    },
    [all, status, category, query, categoryNames],
  )
  const pages = Math.max(1, Math.ceil(survey.found.length / rows))
  // A linked page may be beyond the last page.
  const shownPage = Math.min(page, pages)
  return {
    // `isComplete` says whether all animals have been read, `isShown` whether those of the view have been.
    ...survey,
    isFiltered: status !== undefined || category !== undefined || query !== '',
    /** Whether this is still what was chosen before, because sorting and searching many animals takes a moment. */
    isBusy: isSorting || isSearching,
    stored: survey.pets.length,
    page: shownPage,
    pages,
    shown: survey.found.slice((shownPage - 1) * rows, shownPage * rows),
  }
}

export const [ListingProvider, useListing] = context<ReturnType<typeof useNewListing>>('The listing')
