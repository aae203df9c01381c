import { grouped } from '../parts/labels.tsx'
import { useNavigation } from './use-view.ts'

const SIZES = [10, 20, 50, 100]

/** Which of the selected animals are shown, and the way to the others. */
export function Pager({ total, first, shown }: { total: number; first: number; shown: number }) {
  const { view, go } = useNavigation()
  const sizes = [...new Set([...SIZES, view.limit])].sort((one, other) => one - other)
  const move = (page: number) => {
    go({ page })
    scrollTo({ top: 0 })
  }
  return (
    <nav class="pager" aria-label="Pages of the list">
      <p class="small muted" role="status">
        {grouped(first + 1)}–{grouped(first + shown)} of {grouped(total)}
      </p>
      <label class="size">
        Per page
        <select
          class="input"
          value={view.limit}
          onChange={event => go({ limit: Number(event.currentTarget.value) })}
        >
          {sizes.map(size => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      {total > view.limit && (
        <div class="actions">
          <PageButton label="Previous" isOff={view.page === 1} onClick={() => move(view.page - 1)} />
          <PageButton label="Next" isOff={first + shown >= total} onClick={() => move(view.page + 1)} />
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
