import { Button } from '../parts/fields.tsx'
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
    <nav class="pager row" aria-label="Pages of the list">
      <p class="small muted" role="status">
        {grouped(first + 1)}–{grouped(first + shown)} of {grouped(total)}
      </p>
      <label class="size row small muted">
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
        <div class="actions row">
          <Button isOff={view.page === 1} onClick={() => move(view.page - 1)}>
            Previous
          </Button>
          <Button isOff={first + shown >= total} onClick={() => move(view.page + 1)}>
            Next
          </Button>
        </div>
      )}
    </nav>
  )
}
