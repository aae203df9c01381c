import type { Database } from 'bun:sqlite'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Environment } from '../../environment.ts'
import { OperatorError } from '../../operator-error.ts'
import { openDatabase } from './database.ts'
import { inspect } from './inspect.ts'
import { settleRecovered } from './log.ts'
import { migrate } from './migrate.ts'
import { createPrivateFile, handOver } from './ownership.ts'

/** Opens a file that is ours and brings its schema up to this release, or says in a sentence why it cannot. */
export function openSqliteFile(path: string, environment: Environment): Database {
  try {
    const folder = dirname(resolve(path))
    createFolder(folder)
    createPrivateFile(path, folder)
    inspect(path, environment)
    const database = openDatabase(path)
    settleRecovered(database, path)
    migrate(database, environment)
    return database
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The database ${path} cannot be opened: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

/** A new folder's name is itself data: without syncing its parent, a power cut could take folder and animals together. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  mkdirSync(folder, { recursive: true })
  handOver(folder, dirname(folder))
  const parent = openSync(dirname(folder), 'r')
  fsyncSync(parent)
  closeSync(parent)
}
