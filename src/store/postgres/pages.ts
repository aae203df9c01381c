import type pg from 'pg'
import type { Pet } from '../../contract/pet.ts'
import { PET_COLUMNS, type PetRow, petOf } from '../rows.ts'
import type { PageQuery, StoredPage } from '../store.ts'
import type { Connections } from './connection/connections.ts'
import { PRIMARY_RUN } from './replicas/primary-run.ts'

const SELECT_PETS = `SELECT ${PET_COLUMNS} FROM pets`
/**
 * Animals become visible in the order of their identifiers, so the highest one identifies the set. The counter's row
 * holds the same number, but each addition leaves a dead version of it, which readers must skip while a long
 * transaction keeps it.
 */
const REVISION = 'SELECT coalesce(max(id), 0) AS revision FROM pets'

/** The page and its revision, from one snapshot. */
const withRevision = (page: string, also = ''): string =>
  `SELECT ${also}revision, page.* FROM (${REVISION}) AS now LEFT JOIN (${page}) AS page ON true ORDER BY id`

const ALL = `${SELECT_PETS} WHERE id > $1 ORDER BY id LIMIT $2`

/**
 * Filters and sorts by both columns, which only the index on both can serve. With `status = $3` and `ORDER BY id`, the planner may
 * choose the primary key and read everything after the last animal of a status.
 */
const OF_STATUS = `${SELECT_PETS} WHERE (status, id) > ($3, $1) AND (status, id) <= ($3, 9223372036854775807)
     ORDER BY status, id LIMIT $2`

const STATEMENTS = {
  all: { name: 'page', text: withRevision(ALL) },
  ofStatus: { name: 'page-of-status', text: withRevision(OF_STATUS) },
}

/** Also says whether the server is a standby and has the mark of the primary's present run (see primary-run.ts). */
const onReplica = (page: string, run: string): string =>
  withRevision(
    page,
    `pg_is_in_recovery() AS is_standby, (SELECT value FROM meta WHERE name = '${PRIMARY_RUN}') = ${run} AS is_marked, `,
  )
const ON_REPLICA = {
  all: { name: 'replica-page', text: onReplica(ALL, '$3') },
  ofStatus: { name: 'replica-page-of-status', text: onReplica(OF_STATUS, '$4') },
}

interface RevisionRow {
  revision: string
}

type PageRow = RevisionRow & (PetRow | { id: null })

export type ReplicaRow = PageRow & { is_standby: boolean; is_marked: boolean | null }

/** The animals that a server has after one, with one more than the limit if another page follows. */
export interface FoundPets {
  readonly pets: readonly Pet[]
  readonly revision: bigint
}

export async function readPage(connections: Connections, query: PageQuery): Promise<StoredPage> {
  const { after, limit, status } = query
  const rows = await connections.query<PageRow>(
    status === undefined
      ? { ...STATEMENTS.all, values: [after, limit + 1] }
      : { ...STATEMENTS.ofStatus, values: [after, limit + 1, status] },
  )
  const found = foundIn(rows)
  return pageUpTo(found.revision, found, limit)
}

export const replicaStatement = ({ after, limit, status }: PageQuery, run: string): pg.QueryConfig =>
  status === undefined
    ? { ...ON_REPLICA.all, values: [after, limit + 1, run] }
    : { ...ON_REPLICA.ofStatus, values: [after, limit + 1, status, run] }

export const foundIn = (rows: readonly PageRow[]): FoundPets => ({
  pets: rows.flatMap(row => (row.id === null ? [] : petOf(row))),
  revision: BigInt(rows[0]?.revision ?? 0),
})

/** The page as it was at a revision: animals are only added, in the order of their identifiers. */
export function pageUpTo(revision: bigint, found: FoundPets, limit: number): StoredPage {
  const pets = found.pets.filter(({ id }) => id <= revision)
  return { pets: pets.slice(0, limit), more: pets.length > limit, revision }
}

export async function readRevision(connections: Connections): Promise<bigint> {
  const [row] = await connections.query<RevisionRow>({ name: 'revision', text: REVISION })
  return BigInt(row?.revision ?? 0)
}
