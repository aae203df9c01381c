import type { PetStatus } from '../../../contract/pet.ts'
import type { Environment } from '../../../contract/servers.ts'
import { messageOf, OperatorError } from '../../../operator-error.ts'
import { noRoomToGather, type Stage } from '../../transfer.ts'
import { singleValue } from '../file/database.ts'
import { fileCannotAnswer, isDiskFull } from '../file/failures.ts'
import { openSqliteFile } from '../file/open.ts'
import { writeTransactions } from '../writer/write-transactions.ts'
import { refuseUnfinishedFile } from './refuse-unfinished-copy.ts'

/** A service may hold the lock briefly but often; an import can wait for its turn. */
const WAIT_FOR_LOCK_MS = 30_000

/** A temporary table is a separate file: staging does not lock the database, so a service keeps writing. */
const STAGE =
  'CREATE TEMP TABLE stage (name TEXT NOT NULL, category_id INTEGER NOT NULL, status TEXT NOT NULL) STRICT'

const PUBLISH =
  'INSERT INTO pets (name, category_id, status) SELECT name, category_id, status FROM stage ORDER BY rowid'

export function openSqliteStage(path: string, environment: Environment, create: boolean): Stage {
  const database = openSqliteFile(path, environment, create)
  refuseUnfinishedFile(database, path)
  const transaction = writeTransactions(database, WAIT_FOR_LOCK_MS)
  database.run(STAGE)
  const insert = database.prepare<never, [string, bigint, PetStatus]>('INSERT INTO stage VALUES (?, ?, ?)')
  const gather = database.transaction((pets: Parameters<Stage['gather']>[0]) => {
    for (const { name, categoryId, status } of pets) insert.run(name, categoryId, status)
  })
  const publish = () => {
    const count = singleValue(database, 'SELECT count(*) FROM stage') as bigint
    if (count === 0n) return undefined
    database.run(PUBLISH)
    // AUTOINCREMENT and the single writer make the new identifiers consecutive.
    const last = singleValue(database, 'SELECT max(id) FROM pets') as bigint
    return { first: last - count + 1n, last }
  }
  return {
    gather: pets => explained(path, () => withRoomToGather(() => gather(pets))),
    publish: () => explained(path, () => transaction(publish)),
    close: () => database.close(),
  }
}

/** The staged data is in a temporary file, possibly on another disk. */
function withRoomToGather(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw isDiskFull(error) ? noRoomToGather(error) : error
  }
}

function explained<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!fileCannotAnswer(error)) throw error
    throw new OperatorError(`The database ${path} cannot take the animals: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}
