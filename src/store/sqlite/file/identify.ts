import { statSync } from 'node:fs'
import type { Environment } from '../../../contract/servers.ts'
import { databaseMark } from '../../mark.ts'
import { noFile } from '../../no-database.ts'
import { reading } from '../backup/contents.ts'
import { singleValue } from './database.ts'
import { inspect } from './inspect.ts'

/** The mark of a database, for a caller that does not open it. */
export function identifySqlite(path: string, environment: Environment): string {
  if (inspect(path, environment) === 'nothing') throw noFile(path)
  const secret = reading(path, database =>
    singleValue(database, "SELECT value FROM meta WHERE name = 'cursor_secret'"),
  )
  return databaseMark(environment, String(secret), fileIdentity(path))
}

/** Identifies the file itself, whichever links lead to it. */
export function fileIdentity(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}
