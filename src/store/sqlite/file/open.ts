import type { Database } from 'bun:sqlite'
import { dirname } from 'node:path'
import type { Environment } from '../../../contract/servers.ts'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { followPath } from '../../../files/follow-path.ts'
import { lockPath } from '../../../files/lock.ts'
import { createPrivateFile, createPrivateFolder } from '../../../files/private.ts'
import { explained, OperatorError } from '../../../operator-error.ts'
import { noFile } from '../../no-database.ts'
import { migrateSqlite } from '../migrations/migrate.ts'
import { settleRecovered } from '../writer/log.ts'
import { openDatabase } from './database.ts'
import { inspect } from './inspect.ts'

/** Enough for several processes that start at once to open the file one after the other. */
const WAIT_FOR_OTHERS_MS = 15_000

/** Opens our file and upgrades its schema to this release, or explains in a sentence why it cannot. */
export const openSqliteFile = (path: string, environment: Environment, create: boolean): Database =>
  explained(
    reason => `The database ${path} cannot be opened: ${reason}.`,
    () =>
      asOwnerOf(path, () => {
        if (!create && inspect(path, environment) === 'nothing') throw noFile(path)
        return openAlone(path, environment)
      }),
  )

/** One process at a time: the first creates the file while the others wait, so none finds it incomplete. */
function openAlone(path: string, environment: Environment): Database {
  // SQLite keeps the log beside the link's target.
  const file = followPath(path).path
  createPrivateFolder(dirname(file))
  using lock = lockPath(file, WAIT_FOR_OTHERS_MS)
  if (lock === undefined)
    throw new OperatorError(`The database ${path} is being restored or opened by another process. Try again.`)
  createPrivateFile(file)
  inspect(path, environment)
  const database = openDatabase(path)
  try {
    settleRecovered(database, path)
    migrateSqlite(database, environment)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
