import type pg from 'pg'
import type { NewPet } from '../../../contract/pet.ts'
import type { Environment } from '../../../contract/servers.ts'
import { messageOf, OperatorError } from '../../../operator-error.ts'
import type { PostgresDatabase } from '../../database.ts'
import type { IdRange, Stage } from '../../transfer.ts'
import { isUndecided, serverCannotAnswer } from '../connection/failures.ts'
import { BEGIN } from '../connection/transaction.ts'
import { takeIds } from '../counter.ts'
import { explainDenied } from '../grants.ts'
import { migratePostgres } from '../migrations/migrate.ts'
import { assertMade } from '../migrations/schema-state.ts'
import { connectDedicated } from './dedicated-client.ts'
import { refuseUnfinishedSchema } from './refuse-unfinished-copy.ts'

/** Visible only to this connection. Dropped with it, or with the transaction behind a pooler. */
const stageUntil = (end: 'PRESERVE ROWS' | 'DROP'): string =>
  `CREATE TEMP TABLE stage (place bigint NOT NULL, name text NOT NULL, category_id bigint NOT NULL, status text NOT NULL)
   ON COMMIT ${end}`

const GATHER = `
  INSERT INTO stage SELECT $1::bigint + place, name, category_id, status
  FROM unnest($2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY AS t (name, category_id, status, place)`

/** One statement. Like any addition, it locks the counter's row until the commit, so identifiers appear in order. */
const PUBLISH = `
  WITH counter AS (${takeIds('$1::bigint')}
  ), added AS (
    INSERT INTO pets (id, name, category_id, status)
    SELECT base + place, name, category_id, status FROM stage CROSS JOIN counter
    RETURNING id
  )
  SELECT base + 1 AS first, last_id AS last, (SELECT count(*) FROM added) AS added FROM counter`

export async function openPostgresStage(
  database: PostgresDatabase,
  environment: Environment,
  create: boolean,
): Promise<Stage> {
  const { publicName: name } = database
  const { client, isPooled } = await connectDedicated(database, { durable: true })
  try {
    if (!create) await assertMade(client, name)
    await migratePostgres(client, environment)
    await refuseUnfinishedSchema(client, name)
    // Behind a pooler only a transaction has its own connection. Otherwise keep it short: a long one holds back vacuum.
    if (isPooled) await client.query(BEGIN)
    await client.query(stageUntil(isPooled ? 'DROP' : 'PRESERVE ROWS'))
  } catch (error) {
    const reason = await explainDenied(client, error)
    await client.end().catch(() => {})
    throw reason
  }
  let gathered = 0
  return {
    gather: pets =>
      explained(name, async () => {
        await gather(client, gathered, pets)
        gathered += pets.length
      }),
    publish: () =>
      explained(name, async () => {
        if (!isPooled) await client.query(BEGIN)
        return publish(client, gathered)
      }),
    close: () => client.end().catch(() => {}),
  }
}

async function gather(client: pg.ClientBase, place: number, pets: readonly NewPet[]): Promise<void> {
  const values = [
    place,
    pets.map(pet => pet.name),
    pets.map(pet => pet.categoryId),
    pets.map(pet => pet.status),
  ]
  await client.query(GATHER, values)
}

async function publish(client: pg.ClientBase, count: number): Promise<IdRange | undefined> {
  if (count === 0) return undefined
  const { rows } = await client.query<{ first: string; last: string; added: string }>(PUBLISH, [count])
  const [range] = rows
  if (Number(range?.added) !== count) {
    await client.query('ROLLBACK')
    throw new OperatorError(`Of ${count} animals the database has ${range?.added ?? 0}, so none was added.`)
  }
  await client.query('COMMIT').catch(rejectCommit)
  return range && { first: BigInt(range.first), last: BigInt(range.last) }
}

function rejectCommit(error: unknown): never {
  if (!isUndecided(error)) throw error
  throw new OperatorError(
    'The connection broke during the commit, so the animals may have been added. Look before you import them again.',
    { cause: error },
  )
}

async function explained<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OperatorError || !serverCannotAnswer(error)) throw error
    throw new OperatorError(`The database ${name} cannot take the animals: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}
