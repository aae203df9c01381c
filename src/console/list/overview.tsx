import { PET_STATUSES, type PetStatus } from '../../../client/src/index.ts'
import { ViewLink } from '../parts/fields.tsx'
import { Icon } from '../parts/icon.tsx'
import { grouped, StatusGlyph } from '../parts/labels.tsx'
import { type Tally, totalOf } from '../pets/select.ts'
import { useCategoryName, useSettings } from '../session/session.ts'
import { useListing } from './listing.ts'
import { useNavigation } from './view.ts'

/** A narrower window shows fewer of them. */
const MOST_CATEGORIES = 8

/** What is in stock. Each part is a link that filters the list. */
export function Overview() {
  const { byCategory, isCounted } = useListing()
  const { hidesOverview } = useSettings()
  const largest = byCategory.slice(0, MOST_CATEGORIES)
  const most = Math.max(...largest.map(([, tally]) => totalOf(tally)))
  return (
    <section class="card overview" aria-label="Overview">
      <ByStatus />
      {largest.length > 0 && !hidesOverview && (
        <nav class="by-category" aria-label="Filter by category">
          <h2>Largest categories</h2>
          <ul class="categories">
            {largest.map(([category, tally]) => (
              <li key={category}>
                <CategoryFacet category={category} tally={isCounted ? tally : undefined} most={most} />
              </li>
            ))}
            <li>
              <ViewLink class="facet category-facet muted row" to={{ sheet: 'categories' }}>
                <span class="cut">
                  {isCounted && byCategory.length > 1
                    ? `All ${grouped(byCategory.length)} categories`
                    : 'All categories'}
                </span>
                <Icon name="right" />
              </ViewLink>
            </li>
          </ul>
        </nav>
      )}
    </section>
  )
}

function ByStatus() {
  const { byStatus, isCounted, stored } = useListing()
  const { view } = useNavigation()
  const { hidesOverview } = useSettings()
  const total = totalOf(byStatus)
  const isPart = view.query !== '' || view.category !== undefined
  return (
    <nav class="by-status" aria-label="Filter by status">
      {!hidesOverview && (
        <>
          <p class="total">
            {isCounted && <strong>{grouped(total)}</strong>}
            {isPart && isCounted ? ` of ${grouped(stored)}` : ''}{' '}
            {total === 1 && !isPart ? 'animal' : 'animals'}
          </p>
          <Bar tally={isCounted ? byStatus : []} chosen={view.status} isLinked />
        </>
      )}
      <ul class="legend">
        {PET_STATUSES.map((status, place) => (
          <li key={status}>
            <StatusFacet
              status={status}
              count={isCounted ? (byStatus[place] ?? 0) : undefined}
              total={total}
            />
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface StatusFacetProps {
  readonly status: PetStatus
  /** Unknown until all animals are loaded. */
  readonly count: number | undefined
  readonly total: number
}

function StatusFacet({ status, count, total }: StatusFacetProps) {
  const isChosen = useNavigation().view.status === status
  return (
    <ViewLink
      class="facet row nowrap"
      to={{ status: isChosen ? undefined : status }}
      aria-current={isChosen ? 'true' : undefined}
    >
      <StatusGlyph status={status} />
      <span class="cut">{status}</span>
      {count !== undefined && <strong>{grouped(count)}</strong>}
      {count !== undefined && total > 0 && (
        <span class="share dim">{Math.round((100 * count) / total)} %</span>
      )}
      {isChosen && <Icon name="x" />}
    </ViewLink>
  )
}

interface CategoryFacetProps {
  readonly category: string
  readonly tally: Tally | undefined
  /** How many the largest category has. */
  readonly most: number
}

export function CategoryFacet({ category, tally, most }: CategoryFacetProps) {
  const isChosen = useNavigation().view.category === category
  const name = useCategoryName(category)
  return (
    <ViewLink
      class="facet category-facet row"
      to={{ category: isChosen ? undefined : category }}
      aria-current={isChosen ? 'true' : undefined}
    >
      <span class="cut">
        {name === undefined && <span class="hidden">Category </span>}
        {name ?? category}
      </span>
      {tally && <strong>{grouped(totalOf(tally))}</strong>}
      {isChosen && <Icon name="x" />}
      {tally && <Bar tally={tally} most={most} />}
    </ViewLink>
  )
}

interface BarProps {
  readonly tally: Tally
  readonly most?: number
  readonly chosen?: PetStatus | undefined
  /** Its parts are links too, but beside others that say the same, so the keyboard skips them. */
  readonly isLinked?: boolean
}

/** The shares of the statuses as lengths. */
export const Bar = ({ tally, most = 0, chosen, isLinked = false }: BarProps) => (
  <span class={`bar ${isLinked ? '' : 'bar-thin'}`} aria-hidden="true">
    {PET_STATUSES.map((status, place) => {
      const look = {
        class: `${status} ${chosen && chosen !== status ? 'faded' : ''}`,
        style: { flexGrow: tally[place] ?? 0 },
      }
      if (!tally[place]) return null
      const to = { status: chosen === status ? undefined : status }
      return isLinked ? (
        <ViewLink key={status} tabIndex={-1} to={to} {...look} />
      ) : (
        <i key={status} {...look} />
      )
    })}
    {totalOf(tally) < most && <i style={{ flexGrow: most - totalOf(tally) }} />}
  </span>
)
