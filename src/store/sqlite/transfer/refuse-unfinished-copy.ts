import type { Database } from 'bun:sqlite'
import { UNFINISHED_COPY, unfinishedCopy } from '../../unfinished-copy.ts'
import { singleValue } from '../file/database.ts'

export function refuseUnfinishedFile(database: Database, path: string): void {
  const source = singleValue(database, `SELECT value FROM meta WHERE name = '${UNFINISHED_COPY}'`)
  if (source !== undefined) throw unfinishedCopy(path, String(source))
}
