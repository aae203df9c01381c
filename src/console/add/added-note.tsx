import type { Pet } from '../../../client/src/index.ts'
import type { Navigation } from '../view/use-view.ts'
import type { View } from '../view/view.ts'

interface Props {
  readonly added: Pet
  readonly view: View
  readonly go: Navigation['go']
  readonly onClose: () => void
}

export function AddedNote({ added, view, go, onClose }: Props) {
  const isFilteredOut = view.status !== undefined && view.status !== added.status
  return (
    <div class="note" role="status">
      <p>
        <strong dir="auto">{added.name}</strong> was added with the id{' '}
        <span class="number">{String(added.id)}</span>.
        {isFilteredOut && ` It is ${added.status}, and this list shows only what is ${view.status}.`}
      </p>
      <div class="actions">
        {isFilteredOut && (
          <button
            type="button"
            class="button button-small"
            onClick={() => go({ status: added.status, cursor: undefined }, { trail: [] })}
          >
            Show what is {added.status}
          </button>
        )}
        <button type="button" class="button button-quiet button-small" onClick={onClose}>
          Dismiss
        </button>
      </div>
    </div>
  )
}
