import type { Pet } from '../../../client/src/index.ts'
import { ViewLink } from '../parts/fields.tsx'
import { useObserved } from '../parts/hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Category, Name, Status } from '../parts/labels.tsx'
import { SORTS, type Sort } from '../pets/select.ts'
import { useSession } from '../session/session.ts'
import { useListing } from './listing.ts'
import { useNavigation } from './view.ts'

const COLUMNS = ['id', 'name', 'status', 'category'] as const
/** Digits that fit into the usual columns. */
const USUAL = 12
type Column = (typeof COLUMNS)[number]

/** Moves the focus to another row, at first to the first one. */
export function moveRow(step: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('.name-link')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  links[at === -1 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)]?.focus()
}

export function PetTable() {
  const { shown } = useListing()
  const { additions, importing } = useSession()
  const { added } = useObserved(additions.state)
  const imported = useObserved(importing)?.added
  const newest = added.at(-1)?.id
  // Identifiers and categories have up to 19 digits, and every one counts.
  const digits = Math.max('ID'.length, ...shown.map(({ id }) => String(id).length))
  const isLong = shown.some(({ id, categoryId }) => `${id}`.length > USUAL || `${categoryId}`.length > USUAL)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    moveRow(step)
  }
  return (
    <table class={`animals ${isLong ? 'long' : ''}`} onKeyDown={move}>
      <colgroup class="wide">
        <col style={{ width: `calc(${digits}ch + 2.75rem)` }} />
      </colgroup>
      <thead class="wide">
        <tr>
          {COLUMNS.map(column => (
            <Head key={column} column={column} />
          ))}
          <td class="go" />
        </tr>
      </thead>
      <tbody>
        {shown.map(pet => (
          <Row key={String(pet.id)} pet={pet} isNew={pet.id === newest || imported?.has(pet.id) === true} />
        ))}
      </tbody>
    </table>
  )
}

/** Sorts by its column: first ascending, then descending, then newest first again. */
function Head({ column }: { column: Column }) {
  const { view, go } = useNavigation()
  const { sort } = view
  const isUp = sort === column
  const isDown = sort === `-${column}` || (sort === undefined && column === 'id')
  const descending = SORTS.find(known => known === `-${column}`)
  const next: Sort = isUp ? descending : isDown && sort ? undefined : column
  return (
    <th
      scope="col"
      class={`${column}-cell`}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      <button type="button" class="sort" onClick={() => go({ sort: next })}>
        {column === 'id' ? 'ID' : column}
        <Icon name="arrow" />
      </button>
    </th>
  )
}

/** A narrow screen has no room for four columns, so the style sheet puts each row into two lines. */
function Row({ pet, isNew }: { pet: Pet; isNew: boolean }) {
  const { id, name, categoryId, status } = pet
  return (
    <tr class={isNew ? 'new' : undefined}>
      <td class="id-cell">{String(id)}</td>
      <td class="name-cell">
        <div class="row nowrap">
          <ViewLink class="name-link" to={{ sheet: { animal: String(id) } }}>
            <Name name={name} />
          </ViewLink>
          {isNew && <span class="new-mark">new</span>}
        </div>
      </td>
      <td class="status-cell">
        <Status status={status} />
      </td>
      <td class="category-cell">
        <Category id={String(categoryId)} />
      </td>
      <td class="go">
        <Icon name="right" />
      </td>
    </tr>
  )
}
