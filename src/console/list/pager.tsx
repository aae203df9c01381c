import type { PetPage } from '../../../client/src/index.ts'
import type { Navigation, Trail } from '../view/use-view.ts'
import type { View } from '../view/view.ts'

interface Props {
  readonly page: PetPage
  readonly view: View
  readonly trail: Trail
  readonly go: Navigation['go']
  readonly isLoading: boolean
}

/** Forward by the link of the page, back by the way one came. The API has no total, so none is shown. */
export function Pager({ page: { items, nextCursor }, view, trail, go, isLoading }: Props) {
  const forward = () => go({ cursor: nextCursor }, { trail: [...trail, view.cursor ?? null] })
  const back = () => go({ cursor: trail.at(-1) ?? undefined }, { trail: trail.slice(0, -1) })
  const toStart = () => go({ cursor: undefined }, { trail: [] })
  const isFirst = view.cursor === undefined
  const isWhole = isFirst && nextCursor === undefined
  if (isWhole && items.length === 0) return null
  return (
    <nav class="pager" aria-label="Pages of the list">
      <p class="small muted" role="status">
        {items.length === 1 ? '1 animal' : `${items.length} animals`} on this page
        {nextCursor === undefined && (isFirst ? ', and no more' : ', which is the last')}
      </p>
      {!isWhole && (
        <div class="actions">
          {isFirst || trail.length > 0 ? (
            <PageButton isOff={isFirst || isLoading} onClick={back} label="Previous" />
          ) : (
            <PageButton isOff={isLoading} onClick={toStart} label="First page" />
          )}
          <PageButton isOff={nextCursor === undefined || isLoading} onClick={forward} label="Next" />
        </div>
      )}
    </nav>
  )
}

/** Stays in the order of the keyboard when it is off, so that focus is not lost on the last page. */
const PageButton = ({ isOff, onClick, label }: { isOff: boolean; onClick: () => void; label: string }) => (
  <button type="button" class="button" aria-disabled={isOff} onClick={() => isOff || onClick()}>
    {label}
  </button>
)
