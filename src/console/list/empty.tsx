import { Button } from '../parts/fields.tsx'
import { useSession } from '../session/session.ts'
import { useNavigation } from './use-view.ts'

/** Why there is nothing to see, and the ways on. */
export function Empty() {
  const { index, additions } = useSession()
  const { view, go, open } = useNavigation()
  const { status, query } = view
  const { pets, isComplete } = index.state.value
  const addSearched = () => {
    additions.suggest(query)
    open('add')
  }
  if (query !== '')
    return (
      <EmptyState
        title={`No ${status ?? ''} animal found`.replace('  ', ' ')}
        text={`Nothing matches “${query}”${isComplete ? '' : ' among those that were read'}.`}
      >
        <Button onClick={() => go({ query: '' })}>Clear the search</Button>
        {status && <Button onClick={() => go({ status: undefined })}>Search all animals</Button>}
        {!isComplete && /^\d{1,19}$/.test(query) && (
          <Button onClick={() => open({ animal: query })}>Look up ID {query}</Button>
        )}
        <Button onClick={addSearched}>Add “{query}”</Button>
      </EmptyState>
    )
  if (pets.length > 0)
    return (
      <EmptyState title={`No ${status ?? ''} animals`} text="There are animals with another status.">
        <Button onClick={() => go({ status: undefined })}>Show all animals</Button>
      </EmptyState>
    )
  return (
    <EmptyState title="No animals yet" text="A name and a category are enough to add the first one.">
      <Button look="primary" onClick={() => open('add')}>
        Add the first animal
      </Button>
      <Button onClick={() => open('import')}>Import a file</Button>
    </EmptyState>
  )
}

interface Props {
  readonly title: string
  readonly text: string
  readonly children: preact.ComponentChildren
}

const EmptyState = ({ title, text, children }: Props) => (
  <div class="empty stack" role="status">
    <svg class="empty-picture" viewBox="0 0 96 64" aria-hidden="true">
      <path d="M12 34 48 10l36 24" />
      <path d="M20 30v24h56V30" />
      <path d="M38 54V42a10 10 0 0 1 20 0v12" />
      <path d="M6 54h84" />
    </svg>
    <h2>{title}</h2>
    <p class="muted">{text}</p>
    <div class="actions row">{children}</div>
  </div>
)
