import type { ComponentChildren } from 'preact'
import { PET_STATUSES, type PetStatus } from '../../../client/src/index.ts'
import { ViewLink } from '../parts/fields.tsx'
import { Icon } from '../parts/icon.tsx'
import { Category, StatusGlyph } from '../parts/labels.tsx'
import { animals, grouped, nounOf } from '../parts/words.ts'
import { shareOf, type Tally, totalOf } from '../pets/select.ts'
import { useCategoryName, useSession } from '../session/session.ts'
import { useListing } from './listing.ts'
import { useNavigation, type View } from './view.ts'

/** A narrower window shows fewer of them. */
const MOST_CATEGORIES = 8

/** What is in stock. Each part is a link that filters the list. Numbers are shown when all animals have been read. */
export function Overview() {
  const { byStatus, byCategory, isComplete, isShown, stored, selection } = useListing()
  const { count } = useSession().index
  const total = totalOf(byStatus)
  if (isComplete && stored === 0) return null
  const isPart = selection.query !== '' || selection.category !== undefined
  const noun = isPart ? `of ${animals(stored)}` : nounOf(total, 'animal')
  const progress = isShown ? `Reading ${grouped(count)} …` : 'Animals'
  return (
    <section class="card overview" aria-label="Overview">
      <nav aria-label="Filter by status">
        <p class="total">
          {isComplete && <strong>{grouped(total)}</strong>} {isComplete ? noun : progress}
        </p>
        <Bar tally={isComplete ? byStatus : []} isLinked />
        <ul>
          {PET_STATUSES.map((status, place) => (
            <li key={status}>
              <Facet to={{ status }}>
                <StatusGlyph status={status} />
                <span class="cut">{status}</span>
                {isComplete && <strong>{grouped(byStatus[place] ?? 0)}</strong>}
                {isComplete && total > 0 && <span class="share dim">{shareOf(byStatus, place)}</span>}
              </Facet>
            </li>
          ))}
        </ul>
      </nav>
      {byCategory.length > 0 && (
        <nav class="by-category" aria-label="Filter by category">
          <h2 class="small muted">Largest categories</h2>
          <ul class="categories">
            {byCategory.slice(0, MOST_CATEGORIES).map(([one]) => (
              <li key={one}>
                <CategoryFacet category={one} />
              </li>
            ))}
            <li>
              <ViewLink class="facet category-facet row muted" to={{ sheet: 'categories' }}>
                <span class="cut">All {byCategory.length > 1 && grouped(byCategory.length)} categories</span>
                <Icon name="right" />
              </ViewLink>
            </li>
          </ul>
        </nav>
      )}
    </section>
  )
}

export function CategoryFacet({ category, hasNumber }: { category: string; hasNumber?: boolean }) {
  const { byCategory } = useListing()
  const name = useCategoryName(category)
  const tally = byCategory.find(([one]) => one === category)?.[1] ?? []
  return (
    <Facet to={{ category }} look="category-facet">
      <span class="cut">
        {name === undefined && <span class="hidden">Category </span>}
        {hasNumber && name ? <Category id={category} /> : (name ?? category)}
      </span>
      <strong>{grouped(totalOf(tally))}</strong>
      <Bar tally={tally} most={totalOf(byCategory[0]?.[1] ?? [])} />
    </Facet>
  )
}

interface FacetProps {
  readonly to: Partial<Pick<View, 'status' | 'category'>>
  readonly look?: string
  readonly children: ComponentChildren
}

/** A filter, or the way out of it if it is chosen. */
function Facet({ to, look = '', children }: FacetProps) {
  const { view } = useNavigation()
  const isChosen = (to.status ?? to.category) === (to.status ? view.status : view.category)
  const without = to.status ? { status: undefined } : { category: undefined }
  return (
    <ViewLink
      class={`facet row ${look}`}
      to={isChosen ? without : to}
      aria-current={isChosen ? 'true' : undefined}
    >
      {children}
      {isChosen && <Icon name="x" />}
    </ViewLink>
  )
}

interface BarProps {
  readonly tally: Tally
  readonly most?: number
  /** Its parts are links too, but beside others that say the same, so the keyboard skips them. */
  readonly isLinked?: boolean
}

/** The shares of the statuses as lengths, of the whole or of the largest category. */
function Bar({ tally, most = 1, isLinked = false }: BarProps) {
  const chosen = useNavigation().view.status
  const partOf = (status: PetStatus, place: number) => {
    const flexGrow = tally[place] ?? 0
    if (flexGrow === 0) return null
    const look = { class: chosen && chosen !== status ? `${status} faded` : status, style: { flexGrow } }
    if (!isLinked) return <i {...look} />
    return <ViewLink tabIndex={-1} to={{ status: chosen === status ? undefined : status }} {...look} />
  }
  return (
    <span class={isLinked ? 'bar' : 'bar bar-thin'} aria-hidden="true">
      {PET_STATUSES.map(partOf)}
      {totalOf(tally) < most && <i style={{ flexGrow: most - totalOf(tally) }} />}
    </span>
  )
}
