import type { Pet, PetPage } from '../../../client/src/index.ts'
import { Name } from '../parts/name.tsx'
import { Status } from '../parts/status.tsx'
import type { View } from '../view/view.ts'

interface Props {
  readonly page: PetPage
  readonly view: View
  /** The animal that was just added, to be pointed out where it belongs. */
  readonly added: Pet | undefined
  /** Whether these are the rows of another view, shown until those of this one are there. */
  readonly isStale: boolean
}

export function AnimalTable({ page, view, added, isStale }: Props) {
  const last = page.items.at(-1)
  const isFurtherOn =
    added !== undefined &&
    last !== undefined &&
    added.id > last.id &&
    page.hasNext &&
    (view.status === undefined || view.status === added.status)
  return (
    <table class={`animals ${isStale ? 'stale' : ''}`}>
      <thead>
        <tr>
          <th scope="col" class="wide number">
            ID
          </th>
          <th scope="col">Name</th>
          <th scope="col" class="wide number">
            Category
          </th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {page.items.map(pet => (
          <Row key={String(pet.id)} pet={pet} isNew={pet.id === added?.id} />
        ))}
        {isFurtherOn && (
          <>
            <tr class="gap">
              <td colSpan={4}>New, on a later page of this list:</td>
            </tr>
            <Row pet={added} isNew />
          </>
        )}
      </tbody>
    </table>
  )
}

/** A narrow screen has no room for four columns: there, id and category stand below the name. */
const Row = ({ pet: { id, name, categoryId, status }, isNew }: { pet: Pet; isNew: boolean }) => (
  <tr class={isNew ? 'new' : undefined}>
    <td class="wide number">{String(id)}</td>
    <td class="name">
      <Name name={name} />
      {isNew && <span class="new-mark">new</span>}
      <span class="narrow number">
        ID {String(id)} · category {String(categoryId)}
      </span>
    </td>
    <td class="wide number">{String(categoryId)}</td>
    <td>
      <Status status={status} />
    </td>
  </tr>
)
