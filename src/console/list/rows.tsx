import type { ComponentChildren } from 'preact'
import type { Pet } from '../../../client/src/index.ts'
import { Category } from '../category/category.tsx'
import { Name } from '../parts/name.tsx'
import { Status } from '../parts/status.tsx'

interface Props {
  readonly pets: readonly Pet[]
  readonly newId?: Pet['id'] | undefined
  readonly isStale?: boolean
  readonly onPick: (pet: Pet) => void
  /** Rows that follow. */
  readonly children?: ComponentChildren
}

export const Rows = ({ pets, newId, isStale = false, onPick, children }: Props) => (
  <table class={`animals ${isStale ? 'stale' : ''}`}>
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
        <Row key={String(pet.id)} pet={pet} isNew={pet.id === newId} onPick={onPick} />
      ))}
      {children}
    </tbody>
  </table>
)

interface RowProps {
  readonly pet: Pet
  readonly isNew: boolean
  readonly onPick: (pet: Pet) => void
}

/** A narrow screen has no room for four columns: there, ID and category stand below the name. */
export const Row = ({ pet, isNew, onPick }: RowProps) => (
  <tr class={isNew ? 'new' : undefined}>
    <td class="wide number">{String(pet.id)}</td>
    <td class="name">
      <button type="button" class="name-button" onClick={() => onPick(pet)}>
        <Name name={pet.name} />
      </button>
      {isNew && <span class="new-mark">new</span>}
      <span class="narrow number">
        ID {String(pet.id)} · category <Category id={String(pet.categoryId)} />
      </span>
    </td>
    <td class="wide category number">
      <Category id={String(pet.categoryId)} />
    </td>
    <td>
      <Status status={pet.status} />
    </td>
  </tr>
)
