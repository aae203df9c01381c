import { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import type { RestoreOptions } from '../../backup.ts'
import { hasTable } from '../file/database.ts'
import { contentsOf } from './contents.ts'

/** Keeps what a restore must not undo: assigned identifiers and revocations. Returns the number of keys revoked again. */
export function carryOver(
  incoming: string,
  replaced: Database | undefined,
  { nextId, file }: RestoreOptions,
): number {
  using database = new Database(incoming, { readwrite: true, safeIntegers: true, strict: true })
  return database.transaction(() => {
    noteBackup(database, file)
    if (nextId !== undefined) continueAfter(database, nextId - 1n)
    if (replaced === undefined) return 0
    continueAfter(database, contentsOf(replaced).lastId)
    return revokeAgain(database, replaced)
  })()
}

/** For `petstore doctor`: the restored backup is now the last one. */
function noteBackup(database: Database, file: string): void {
  // The database may belong to a user who cannot read the backup.
  const madeAt = asOwnerOf(file, () => statSync(file).mtime)
  const note = JSON.stringify({ at: madeAt.toISOString(), file: resolve(file) })
  database.run("INSERT OR REPLACE INTO meta VALUES ('last_backup', ?)", [note])
}

function continueAfter(database: Database, lastId: bigint): void {
  if (lastId <= contentsOf(database).lastId) return
  database.run("DELETE FROM sqlite_sequence WHERE name = 'pets'")
  database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', ?)", [lastId])
}

function revokeAgain(database: Database, replaced: Database): number {
  if (![database, replaced].every(each => hasTable(each, 'api_keys'))) return 0
  const revoked = replaced
    .query<{ id: string; revoked_at: bigint }, []>(
      'SELECT id, revoked_at FROM api_keys WHERE revoked_at IS NOT NULL',
    )
    .all()
  const revoke = database.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL')
  const changes = revoked.map(({ id, revoked_at }) => revoke.run(revoked_at, id).changes)
  revoke.finalize()
  return changes.reduce((sum, count) => sum + count, 0)
}
