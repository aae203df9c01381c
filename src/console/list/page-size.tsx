import type { Navigation } from '../view/use-view.ts'
import type { View } from '../view/view.ts'

const SIZES = [10, 20, 50, 100]

interface Props {
  readonly view: View
  readonly go: Navigation['go']
}

export function PageSize({ view, go }: Props) {
  const sizes = [...new Set([...SIZES, view.limit])].sort((a, b) => a - b)
  return (
    <label class="size">
      <span>Per page</span>
      <select
        class="input"
        value={view.limit}
        onChange={event => go({ limit: Number(event.currentTarget.value), cursor: undefined }, { trail: [] })}
      >
        {sizes.map(size => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </select>
    </label>
  )
}
