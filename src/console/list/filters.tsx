import type { PetStatus } from '../../../client/src/index.ts'
import { facts } from '../page-facts.ts'
import { StatusDot } from '../parts/status.tsx'
import type { Navigation } from '../view/use-view.ts'
import { addressOf, type View } from '../view/view.ts'

interface Props {
  readonly view: View
  readonly go: Navigation['go']
}

/** Each filter is a link, so that it can be opened in a new tab. */
export function Filters({ view, go }: Props) {
  return (
    <nav aria-label="Filter by status" class="segments">
      <Filter status={undefined} view={view} go={go} />
      {facts.statuses.map(status => (
        <Filter key={status} status={status} view={view} go={go} />
      ))}
    </nav>
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
