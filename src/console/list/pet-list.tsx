import { useMemo } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { Button } from '../parts/fields.tsx'
import { useObserved, useSlow } from '../parts/hooks.ts'
import { animals, Category, grouped, Name, Status } from '../parts/labels.tsx'
import { selected } from '../pets/select.ts'
import { useSession } from '../session/session.ts'
import { useSettings } from '../session/settings.ts'
import { Empty } from './empty.tsx'
import { Pager } from './pager.tsx'
import { useNavigation } from './use-view.ts'

/** The animals of the view in each state of the store: first read, there, partly read, empty. */
export function PetList() {
  const { index } = useSession()
  const { view } = useNavigation()
  const { categoryNames } = useSettings()
  const { pets, readAt, isComplete, isReading, failure } = useObserved(index.state)
  const { status, query, order, limit } = view
  const found = useMemo(
    () => selected(pets, { status, query, order }, categoryNames),
    [pets, readAt, status, query, order, categoryNames],
  )
  // A page that was linked to may be beyond the end.
  const page = Math.min(view.page, Math.max(1, Math.ceil(found.length / limit)))
  const first = (page - 1) * limit
  const shown = found.slice(first, first + limit)
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
      {found.length > 0 && <Pager total={found.length} first={first} shown={shown.length} />}
    </>
  )
}

/** Not all animals are known: what is shown, found and counted is less than the store has. */
function PartlyRead() {
  const { index } = useSession()
  const { pets, isReading } = useObserved(index.state)
  return (
    <div class="list-head row spread muted" role="status">
      <p>
        {grouped(pets.length)} animals were read
        {isReading ? ', reading on…' : '. The store has more, which are neither shown nor searched.'}
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

/** Seen only if the first response takes a while: what comes at once must not be announced by a flash. */
function Waiting() {
  const isSlow = useSlow(true)
  return (
    <div class="waiting">
      <p role="status" class={isSlow ? 'muted' : 'hidden'}>
        {isSlow ? 'Still waiting for the service…' : 'Reading the animals…'}
      </p>
      {[0, 1, 2, 3].map(row => (
        <div key={row} class="waiting-row" />
      ))}
    </div>
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

/** A narrow screen has no room for four columns: there, ID and category stand below the name. */
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
