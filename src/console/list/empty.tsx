import type { Navigation } from '../view/use-view.ts'
import type { View } from '../view/view.ts'

interface Props {
  readonly view: View
  readonly onAdd: () => void
  readonly go: Navigation['go']
}

export function Empty({ view: { status, cursor }, onAdd, go }: Props) {
  const isWholeStore = status === undefined && cursor === undefined
  return (
    <div class="empty">
      <svg class="empty-picture" viewBox="0 0 96 64" aria-hidden="true">
        <path d="M12 34 48 10l36 24" />
        <path d="M20 30v24h56V30" />
        <path d="M38 54V42a10 10 0 0 1 20 0v12" />
        <path d="M6 54h84" />
      </svg>
      {isWholeStore ? (
        <>
          <h2>No animals yet</h2>
          <p class="muted">A name and a category are enough to add the first one.</p>
          <button type="button" class="button button-primary" onClick={onAdd}>
            Add the first animal
          </button>
        </>
      ) : (
        <>
          <h2>{status ? `No ${status} animals` : 'No animals on this page'}</h2>
          <p class="muted">There may be animals with another status.</p>
          <button
            type="button"
            class="button"
            onClick={() => go({ status: undefined, cursor: undefined }, { trail: [] })}
          >
            Show all animals
          </button>
        </>
      )}
    </div>
  )
}
