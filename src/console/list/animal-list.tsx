import type { Pet } from '../../../client/src/index.ts'
import { FailureNote, Retry } from '../parts/failure.tsx'
import type { Navigation } from '../view/use-view.ts'
import type { View } from '../view/view.ts'
import { AnimalTable } from './animal-table.tsx'
import { Empty } from './empty.tsx'
import type { Animals } from './use-animals.ts'

interface Props {
  readonly animals: Animals
  readonly view: View
  readonly added: Pet | undefined
  readonly onAdd: () => void
  readonly onPick: (pet: Pet) => void
  readonly go: Navigation['go']
}

/** The list in each of its states: first read, there, empty, failed, slow. */
export function AnimalList({ animals, view, added, onAdd, onPick, go }: Props) {
  const { page, failure, isLoading, isSlow, isOfAnotherView, reload, stop } = animals
  const isShowable = page !== undefined && !(failure && isOfAnotherView)
  const isEmpty = isShowable && page.items.length === 0 && !isOfAnotherView
  return (
    <section class="card list" aria-label="The animals" aria-busy={isLoading}>
      {failure && (
        <FailureNote failure={failure}>
          {failure.code === 'invalid_query' ? (
            <button
              type="button"
              class="button"
              onClick={() => go({ cursor: undefined, isAdding: false }, { trail: [] })}
            >
              Go to the first page
            </button>
          ) : (
            <Retry failure={failure} isRetrying={isLoading} onRetry={reload} />
          )}
        </FailureNote>
      )}
      {isOfAnotherView && page && isLoading && !failure && (
        <p class="loading-mark" role="status">
          Loading {view.status ? `${view.status} animals` : 'animals'}…
        </p>
      )}
      {isSlow && !failure && (
        <div class="slow" role="status">
          <span>Still waiting for the service…</span>
          <button type="button" class="button button-quiet button-small" onClick={stop}>
            Stop waiting
          </button>
        </div>
      )}
      {isEmpty && !failure && <Empty view={view} onAdd={onAdd} go={go} />}
      {isShowable && !isEmpty && (
        <AnimalTable
          page={page}
          view={view}
          added={isLoading ? undefined : added}
          isStale={isOfAnotherView}
          onPick={onPick}
        />
      )}
      {!page && !failure && <Waiting />}
    </section>
  )
}

/** Seen only if the first answer takes a while: what comes at once must not be announced by a flash. */
const Waiting = () => (
  <div class="waiting">
    <span class="hidden">Reading the animals…</span>
    {[0, 1, 2, 3, 4].map(row => (
      <div key={row} class="waiting-row" />
    ))}
  </div>
)
