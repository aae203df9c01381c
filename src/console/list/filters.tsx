import type { PetStatus } from '../../../client/src/index.ts'
import { facts } from '../page-facts.ts'
import { StatusDot } from '../parts/status.tsx'
import type { Navigation } from '../view/use-view.ts'
import { addressOf, type View } from '../view/view.ts'

const SIZES = [10, 20, 50, 100]

interface Props {
  readonly view: View
  readonly go: Navigation['go']
}

/** Each filter is a link, so that it can be opened in a tab of its own. */
export function Filters({ view, go }: Props) {
  const sizes = [...new Set([...SIZES, view.limit])].sort((a, b) => a - b)
  return (
    <div class="filters">
      <nav aria-label="Filter by status" class="segments">
        <Filter status={undefined} view={view} go={go} />
        {facts.statuses.map(status => (
          <Filter key={status} status={status} view={view} go={go} />
        ))}
      </nav>
      <label class="size">
        <span>Per page</span>
        <select
          class="input"
          value={view.limit}
          onChange={event =>
            go({ limit: Number(event.currentTarget.value), cursor: undefined }, { trail: [] })
          }
        >
          {sizes.map(size => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Filter({ status, view, go }: Props & { readonly status: PetStatus | undefined }) {
  const target = { status, cursor: undefined, isAdding: false }
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(target, { trail: [] })
  }
  return (
    <a
      class="segment"
      href={addressOf({ ...view, ...target }, facts)}
      aria-current={view.status === status ? 'page' : undefined}
      onClick={follow}
    >
      {status && <StatusDot status={status} />}
      {status ?? 'all'}
    </a>
  )
}
