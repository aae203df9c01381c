import type { Environment } from '../../contract/servers.ts'
import type { Observe } from '../../observability/events.ts'
import { unavailable } from '../errors.ts'
import { COMMIT_LIMITS, GroupCommit } from '../group-commit.ts'
import type { Added, Addition, Store } from '../store.ts'
import { lastBackupAt } from './backup.ts'
import { assertInPlace, logBytes, openedFiles } from './file-check.ts'
import { metaValue, openFile } from './open.ts'
import { addedPets, type BatchOutcome, encodeBatch } from './pet-rows.ts'
import { readingTogether, readsOf, revisionOf } from './reads.ts'
import { FileFault, fileCannotAnswer, isDamage } from './sqlite-errors.ts'
import { WriterClient } from './writer-client.ts'

/** A service must respond within 5 seconds; a command can wait longer. */
const TIMEOUTS = {
  service: { lockMs: 2000, deadlineMs: 4000 },
  command: { lockMs: 8000, deadlineMs: 10_000 },
}

interface StoreOptions {
  readonly create: boolean
  readonly observe: Observe
  readonly caller: keyof typeof TIMEOUTS
}

/**
 * The embedded store: one file. Reads run here and never wait for a write. Writes run in a thread, so that a disk that does
 * not answer its sync blocks nobody but their callers, and those not for long.
 */
export async function openSqliteStore(
  path: string,
  environment: Environment,
  { create, observe, caller }: StoreOptions,
): Promise<Store> {
  const database = openFile(path, environment, create)
  const files = openedFiles(path)
  const health = healthOf(path)
  const reads = readsOf(database)
  const together = readingTogether(database, health.reading)
  const revision = revisionOf(database)
  const { lockMs, deadlineMs } = TIMEOUTS[caller]
  const writer = new WriterClient({
    writer: { path, files, lockMs },
    deadlineMs,
    onDamage: health.noteDamage,
    onStalled: () => observe({ kind: 'storage-stalled' }),
    onRecovered: afterMs => observe({ kind: 'storage-recovered', afterMs }),
  })
  const additions = new GroupCommit<Addition, Added>(async batch => {
    const started = performance.now()
    const outcome = JSON.parse(await writer.call('addPets', ...encodeBatch(batch))) as BatchOutcome
    revision.forget()
    const durationMs = performance.now() - started
    observe({ kind: 'batch-stored', size: batch.length, durationMs, commitMs: outcome.commitMs })
    return addedPets(batch, outcome)
  }, COMMIT_LIMITS)
  // A disk that hangs must not keep the service from reporting it.
  if (caller === 'service') await writer.ready().catch(() => {})

  return {
    environment,
    cursorSecret: String(metaValue(database, 'cursor_secret')),
    keys: {
      add: key => writer.call('addKey', key),
      list: () => health.reading(reads.listKeys),
      find: hash => health.reading(() => reads.findKey(hash)),
      revoke: (id, at) => writer.call('revokeKey', id, at),
      recordUses: uses => writer.call('recordKeyUses', uses),
    },
    state: () => ({
      engine: 'sqlite',
      waiting: additions.waiting,
      isStalled: writer.isStalled,
      logBytes: logBytes(path),
      lastBackupAt: health.orUndefined(() => lastBackupAt(database) ?? new Date(0)),
    }),
    // The file cannot be replaced by an earlier state while it is open.
    epoch: () => 0,
    revision: () => health.reading(revision.current),
    // The revision is asked first: an animal that is added in between makes the page look older than it is.
    listPets: query => together(() => ({ revision: revision.current(), ...reads.listPets(query) })),
    findPet: id => together(() => reads.findPet(id)),
    addPet: addition => {
      health.assertUndamaged()
      return additions.add(addition)
    },
    ping: async () => {
      health.assertUndamaged()
      health.reading(() => {
        assertInPlace(files)
        reads.ping()
      })
      writer.assertAnswering()
      await writer.ready()
    },
    close: async () => {
      // The last connection to close empties the log and waits for the disk, so it must be the writer's.
      database.close()
      await writer.close()
    },
  }
}

/** Whether the database is intact and still the one that was opened. Damage is remembered: SQLite may not find it again. */
function healthOf(path: string) {
  let damage: FileFault | undefined
  const noteDamage = (message: string): void => {
    damage ??= new FileFault(
      `The database ${path} is damaged (${message}). Restore it from a backup and start the service again.`,
    )
  }
  const assertUndamaged = (): void => {
    if (damage !== undefined) throw unavailable(damage)
  }
  /** Runs a read; throws `unavailable` if the storage failed. */
  const reading = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      if (isDamage(error)) noteDamage(error.message)
      throw fileCannotAnswer(error) ? unavailable(error) : error
    }
  }
  const orUndefined = <T>(read: () => T): T | undefined => {
    try {
      return reading(read)
    } catch {
      return undefined
    }
  }
  return { noteDamage, assertUndamaged, reading, orUndefined }
}
