import { PET_COLUMNS, type PetRow, petOf } from '../rows.ts'
import type { PageQuery, StoredPage } from '../store.ts'
import type { Connections } from './connection/connections.ts'

const SELECT_PETS = `SELECT ${PET_COLUMNS} FROM pets`
/**
 * Animals become visible in the order of their identifiers, so the highest one identifies the set. The counter's row
 * holds the same number, but each addition leaves a dead version of it, which readers must skip while a long
 * transaction keeps it.
 */
const REVISION = 'SELECT coalesce(max(id), 0) AS revision FROM pets'

/** The page and its revision, from one snapshot. */
const withRevision = (page: string): string =>
  `SELECT revision, page.* FROM (${REVISION}) AS now LEFT JOIN (${page}) AS page ON true ORDER BY id`

const ALL = {
  name: 'page',
  text: withRevision(`${SELECT_PETS} WHERE id > $1 ORDER BY id LIMIT $2`),
} as const

/**
 * Filters and sorts by both columns, which only the index on both can serve. With `status = $3` and `ORDER BY id`, the planner may
 * choose the primary key and read everything after the last animal of a status.
 */
const OF_STATUS = {
  name: 'page-of-status',
  text: withRevision(
    `${SELECT_PETS} WHERE (status, id) > ($3, $1) AND (status, id) <= ($3, 9223372036854775807)
     ORDER BY status, id LIMIT $2`,
  ),
} as const

interface RevisionRow {
  revision: string
}

type PageRow = RevisionRow & (PetRow | { id: null })

export async function readPage(
  connections: Connections,
  { after, limit, status }: PageQuery,
): Promise<StoredPage> {
  // Fetching one row more than the limit shows whether another page follows.
  const rows = await connections.query<PageRow>(
    status === undefined
      ? { ...ALL, values: [after, limit + 1] }
      : { ...OF_STATUS, values: [after, limit + 1, status] },
  )
  const pets = rows.flatMap(row => (row.id === null ? [] : petOf(row)))
  return { pets: pets.slice(0, limit), more: pets.length > limit, revision: BigInt(rows[0]?.revision ?? 0) }
}

export async function readRevision(connections: Connections): Promise<bigint> {
  const [row] = await connections.query<RevisionRow>({ name: 'revision', text: REVISION })
  return BigInt(row?.revision ?? 0)
}
