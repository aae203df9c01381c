import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { Button } from '../parts/fields.tsx'
import { useObserved, useSlow } from '../parts/hooks.ts'
import { animals, Category, grouped, Name, Status } from '../parts/labels.tsx'
import { selected } from '../pets/select.ts'
import { useSession, useSettings } from '../session/session.ts'
import { useNavigation } from './view.ts'

const PAGE_SIZE = 20

/** The animals of the view in each state of the store: loading, loaded, partly loaded, empty. */
export function PetList() {
  const { index } = useSession()
  const { view } = useNavigation()
  const { categoryNames } = useSettings()
  const { pets, readAt, isComplete, isReading, failure } = useObserved(index.state)
  const { status, query, order } = view
  const found = useMemo(
    () => selected(pets, { status, query, order }, categoryNames),
    [pets, readAt, status, query, order, categoryNames],
  )
  // A linked page may be beyond the last page.
  const page = Math.min(view.page, Math.max(1, Math.ceil(found.length / PAGE_SIZE)))
  const first = (page - 1) * PAGE_SIZE
  const shown = found.slice(first, first + PAGE_SIZE)
  const isSettled = isComplete || (!isReading && readAt !== undefined)
  return (
    <>
      <section class="card list" aria-label="The animals" aria-busy={!isSettled && !failure}>
        {!isComplete && readAt !== undefined && <PartlyRead />}
        {query !== '' && found.length > 0 && (
          <p class="list-head row spread muted" role="status">
            {animals(found.length)} found
          </p>
        )}
        {found.length > 0 && <PetTable pets={shown} />}
        {found.length === 0 && isSettled && !failure && <Empty />}
        {readAt === undefined && !failure && <Waiting />}
      </section>
      {found.length > 0 && <Pager total={found.length} page={page} />}
    </>
  )
}

/** Not all animals are loaded, so the store has more than are shown, found and counted. */
function PartlyRead() {
  const { index } = useSession()
  const { pets, isReading } = useObserved(index.state)
  return (
    <div class="list-head row spread muted" role="status">
      <p>
        {grouped(pets.length)} animals loaded
        {isReading ? '; loading more…' : '. The store has more, which are not shown or searched.'}
      </p>
      {isReading ? (
        <Button look="small" onClick={() => index.stop()}>
          Stop reading
        </Button>
      ) : (
        <Button look="small" onClick={() => void index.readAll()}>
          Read all
        </Button>
      )}
    </div>
  )
}

function Waiting() {
  const isSlow = useSlow(true)
  return (
    <p role="status" class="waiting muted">
      {isSlow ? 'Still waiting for the service…' : 'Reading the animals…'}
    </p>
  )
}

/** The range of animals shown, and links to the other pages. */
function Pager({ total, page }: { total: number; page: number }) {
  const { go } = useNavigation()
  const end = Math.min(total, page * PAGE_SIZE)
  const move = (step: number) => {
    go({ page: page + step })
    scrollTo({ top: 0 })
  }
  return (
    <nav class="pager row spread" aria-label="Pages of the list">
      <p class="small muted" role="status">
        {grouped((page - 1) * PAGE_SIZE + 1)}–{grouped(end)} of {grouped(total)}
      </p>
      {total > PAGE_SIZE && (
        <div class="actions row">
          <Button isOff={page === 1} onClick={() => move(-1)}>
            Previous
          </Button>
          <Button isOff={end === total} onClick={() => move(1)}>
            Next
          </Button>
        </div>
      )}
    </nav>
  )
}

function PetTable({ pets }: { pets: readonly Pet[] }) {
  const { additions } = useSession()
  const { added } = useObserved(additions.state)
  const newest = added.at(-1)?.id
  return (
    <table class="animals">
      <thead>
        <tr>
          <th scope="col" class="wide number">
            ID
          </th>
          <th scope="col">Name</th>
          <th scope="col" class="wide category">
            Category
          </th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {pets.map(pet => (
          <Row key={String(pet.id)} pet={pet} isNew={pet.id === newest} />
        ))}
      </tbody>
    </table>
  )
}

/** A narrow screen has no room for four columns, so ID and category go below the name. */
function Row({ pet: { id, name, categoryId, status }, isNew }: { pet: Pet; isNew: boolean }) {
  const { open } = useNavigation()
  return (
    <tr class={isNew ? 'new' : undefined}>
      <td class="wide number muted">{String(id)}</td>
      <td class="name">
        <button type="button" class="name-button" onClick={() => open({ animal: String(id) })}>
          <Name name={name} />
        </button>
        {isNew && <span class="new-mark">new</span>}
        <span class="narrow number small muted">
          ID {String(id)} · category <Category id={String(categoryId)} />
        </span>
      </td>
      <td class="wide category number muted">
        <Category id={String(categoryId)} />
      </td>
      <td>
        <Status status={status} />
      </td>
    </tr>
  )
}

/** Why the list is empty, and what to do next. */
function Empty() {
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

interface EmptyProps {
  readonly title: string
  readonly text: string
  readonly children: ComponentChildren
}

const EmptyState = ({ title, text, children }: EmptyProps) => (
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
