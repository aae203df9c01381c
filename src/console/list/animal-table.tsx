import type { Pet, PetPage } from '../../../client/src/index.ts'
import type { View } from '../view/view.ts'
import { Row, Rows } from './rows.tsx'

interface Props {
  readonly page: PetPage
  readonly view: View
  /** The animal that was just added, to be pointed out where it belongs. */
  readonly added: Pet | undefined
  /** Whether these are the rows of another view, shown until those of this one are there. */
  readonly isStale: boolean
  readonly onPick: (pet: Pet) => void
}

/** One page of the list, and behind it what was just added, if that is further on. */
export function AnimalTable({ page, view, added, isStale, onPick }: Props) {
  const last = page.items.at(-1)
  const isFurtherOn =
    added !== undefined &&
    last !== undefined &&
    added.id > last.id &&
    page.hasNext &&
    (view.status === undefined || view.status === added.status)
  return (
    <Rows pets={page.items} newId={added?.id} isStale={isStale} onPick={onPick}>
      {isFurtherOn && (
        <>
          <tr class="gap">
            <td colSpan={4}>New, on a later page of this list:</td>
          </tr>
          <Row pet={added} isNew onPick={onPick} />
        </>
      )}
    </Rows>
  )
}
