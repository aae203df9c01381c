import { rmSync, writeFileSync } from 'node:fs'
import type { Environment } from '../../environment.ts'
import { OperatorError } from '../../operator-error.ts'
import type { Contents } from '../backup.ts'
import { contentsOf, reading } from './backup-contents.ts'
import { syncPath } from './backup-sync.ts'
import { singleValue } from './database.ts'
import { APPLICATION_ID, inspect } from './inspect.ts'

/**
 * Copies a database that may be in use: one consistent state of it, read back and checked before anyone relies on it.
 * What goes wrong leaves no file behind.
 */
export function verifiedCopy(from: string, to: string, environment: Environment): Contents {
  inspect(from, environment)
  refuseEmpty(from)
  const before = reading(from, contentsOf)
  try {
    // It holds the hashes of keys: nobody else may read it, not even while it grows.
    discard(to)
    writeFileSync(to, '', { mode: 0o600, flag: 'wx' })
    reading(from, database => database.run('VACUUM INTO ?', [to]))
    const copied = verify(to, environment)
    // Animals are only ever added, so a copy that was begun later cannot have fewer.
    if (copied.animals < before.animals)
      throw new OperatorError(
        `The copy has ${copied.animals} animals, fewer than the ${before.animals} there were.`,
      )
    syncPath(to)
    return copied
  } catch (error) {
    discard(to)
    throw error
  }
}

/** An empty file is where a database may begin, and no copy of one: it may be what a full disk left of a backup. */
function refuseEmpty(path: string): void {
  const isOurs = reading(
    path,
    database => singleValue(database, 'PRAGMA application_id') === BigInt(APPLICATION_ID),
  )
  if (!isOurs) throw new OperatorError(`${path} is empty: there is no database in it.`)
}

/** With the journal that an interrupted copy leaves, which SQLite would take for one of the next file of that name. */
export function discard(copy: string): void {
  for (const part of ['-journal', '']) rmSync(copy + part, { force: true })
}

function verify(path: string, environment: Environment): Contents {
  inspect(path, environment)
  return reading(path, database => {
    const verdict = singleValue(database, 'PRAGMA integrity_check(1)')
    if (verdict !== 'ok') throw new OperatorError(`The copy is damaged: ${verdict}.`)
    return contentsOf(database)
  })
}
