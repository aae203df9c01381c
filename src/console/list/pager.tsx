import type { PetPage } from '../../../client/src/index.ts'
import { animals } from '../parts/numbers.ts'
import type { Navigation, Trail } from '../view/use-view.ts'
import type { View } from '../view/view.ts'
import { PageSize } from './page-size.tsx'
import type { Newest } from './use-newest.ts'

interface Props {
  readonly page: PetPage
  readonly view: View
  readonly trail: Trail
  readonly go: Navigation['go']
  readonly isLoading: boolean
  readonly newest: Newest
}

/** Forward by the link of the page, back by the way one came, or to the end. */
export function Pager({ page: { items, nextCursor }, view, trail, go, isLoading, newest }: Props) {
  const move = (cursor: string | undefined, way: Trail) => {
    go({ cursor }, { trail: way })
    scrollTo({ top: 0 })
  }
  const isFirst = view.cursor === undefined
  const isWhole = isFirst && nextCursor === undefined
  const isEnd = nextCursor === undefined
  const { passed } = newest
  if (isWhole && items.length === 0) return null
  return (
    <nav class="pager" aria-label="Pages of the list">
      <p class="small muted" role="status">
        {passed === undefined
          ? `${animals(items.length)} on this page${isEnd ? (isFirst ? ', no more' : ', the last page') : ''}`
          : `Going to the newest: ${animals(passed)} read…`}
      </p>
      <PageSize view={view} go={go} />
      {!isWhole && (
        <div class="actions">
          {isFirst || trail.length > 0 ? (
            <PageButton
              isOff={isFirst || isLoading}
              onClick={() => move(trail.at(-1) ?? undefined, trail.slice(0, -1))}
              label="Previous"
            />
          ) : (
            <PageButton isOff={isLoading} onClick={() => move(undefined, [])} label="First page" />
          )}
          <PageButton
            isOff={isEnd || isLoading}
            onClick={() => move(nextCursor, [...trail, view.cursor ?? null])}
            label="Next"
          />
          {passed === undefined ? (
            <PageButton isOff={isEnd || isLoading} onClick={newest.jump} label="Newest" />
          ) : (
            <PageButton isOff={false} onClick={newest.stop} label="Stop" />
          )}
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
