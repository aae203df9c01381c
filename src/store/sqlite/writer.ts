import type { Event } from '../../observability/events.ts'
import { COPY_MARK } from '../copy.ts'
import { OutcomeUnknown, StorageUnavailable } from '../errors.ts'
import { CHECKPOINT_BYTES, connect, emptyWal } from './connect.ts'
import { assertInPlace, type OpenedFile, PAGE_BYTES, troubleOf } from './database-files.ts'
import { setMeta, WRITE_FIRST_PAGE } from './schema.ts'
import { isIoFailure, retryWhileBusy, troubleIn } from './sqlite-errors.ts'
import { type Write, type Written, writesOf } from './writes.ts'

/** A ping fails if a create would. After a report that a read has found damage, all calls fail. */
export type Call = Write | readonly ['ping'] | readonly ['reportDamage', message: string]
export type Result = Written['result']

export interface WriterOptions {
  readonly path: string
  /** The files that were opened at the path. */
  readonly files: readonly OpenedFile[]
  /** How long to wait for another process's write lock. */
  readonly lockMs: number
}

export interface Done {
  readonly results: readonly Result[]
  readonly stored: Event | undefined
}

const USUAL_CACHE = 'PRAGMA cache_size = -2000'
/** A row of eight pages, which push a trial's last pages out of the cache. */
const LARGE_ROW = `INSERT INTO pets (name, category_id, status) VALUES (hex(zeroblob(${4 * PAGE_BYTES})), 0, 'sold')`

/** Opens the database to run calls in transactions that report success only for writes that cannot be lost. */
export function openWriter({ path, files, lockMs }: WriterOptions) {
  const database = connect(path, 'durable')
  const perform = writesOf(database)
  const begin = database.query('BEGIN IMMEDIATE')
  const commit = database.query('COMMIT')
  /**
   * After a failed sync, the write-ahead log contains the failed transaction after its valid end, and the system may consider its
   * pages written although they are not, because it reports the failure only once. SQLite does not show such a transaction, but a
   * recovery after a crash would. So before the next write, its valid part is copied into the database.
   */
  let isWalSuspect = false
  /** Writes that failed, for example because the disk is full, until a create or a trial succeeds. Empty at first. */
  let failed: readonly Write[] | undefined = []
  /** When the database file had last changed at the last transaction. A checkpoint changes it. */
  let checkpointedAt = 0
  const copyMark = database.query(`SELECT 1 FROM meta WHERE name = '${COPY_MARK}'`)

  function settleWal(): void {
    assertInPlace(files)
    if (!emptyWal(database))
      throw new StorageUnavailable(
        'After a disk failure the write-ahead log must be emptied, but another process uses it.',
      )
    isWalSuspect = false
  }

  /** Within the transaction, so that nothing is stored that a copy lacks. */
  function assertUnmarked(): void {
    const reason = 'The database is part of a copy, so it is refused; petstore doctor says more.'
    if (copyMark.get() !== null) throw new StorageUnavailable(reason, 'part-of-copy')
  }

  /** A create, taken back. With a cache of one page, SQLite needs room in the write-ahead log for the others before the commit. */
  function tryCreate(writes: readonly Write[]): void {
    database.run('PRAGMA cache_size = 1; SAVEPOINT trial')
    writes.map(perform)
    database.run(LARGE_ROW)
    database.run(`ROLLBACK TO trial; ${USUAL_CACHE}`)
    // What was taken back is not synced, but the commit of this is.
    setMeta(database, 'tried_at', String(Date.now()))
  }

  function write(calls: readonly Call[], trial: readonly Write[] | undefined): Done {
    if (isWalSuspect) settleWal()
    retryWhileBusy(lockMs, () => begin.run())
    assertUnmarked()
    if (trial) tryCreate(trial)
    const written = calls.map(call => (isWrite(call) ? perform(call) : {}))
    // A commit counts only if the next start will find it.
    const { changedAt, walSize } = assertInPlace(files)
    // After a checkpoint, this may be the first transaction of a new write-ahead log, which must tell its database file.
    if (changedAt !== checkpointedAt) database.run(WRITE_FIRST_PAGE)
    const commitBegan = performance.now()
    try {
      commit.run()
    } catch (error) {
      throw isIoFailure(error) ? new OutcomeUnknown(error, troubleOf(error, path)) : error
    }
    const commitMs = performance.now() - commitBegan
    checkpointedAt = changedAt
    try {
      // Without pauses between writes, SQLite never restarts the write-ahead log by itself.
      if (walSize > 2 * CHECKPOINT_BYTES) emptyWal(database)
    } catch {
      // The transaction is already committed; a later write tries again to empty the write-ahead log.
    }
    const results = written.map(({ result }) => result)
    const size = written.reduce((sum, { animals = 0 }) => sum + animals, 0)
    return { results, stored: size > 0 ? { kind: 'batch-stored', size, commitMs } : undefined }
  }

  return {
    run: (calls: readonly Call[]): Done => {
      const writes = calls.filter(isWrite)
      const isCreate = writes.some(([name]) => name === 'addPets')
      // A write smaller than a create shows too little to a ping in the same transaction.
      const trial = isCreate || writes.length === calls.length ? undefined : failed
      if (writes.length === 0 && !trial) {
        assertUnmarked()
        return { results: [], stored: undefined }
      }
      try {
        const done = write(calls, trial)
        if (trial || isCreate) failed = undefined
        return done
      } catch (error) {
        if (isCreate || (writes.length > 0 && troubleIn(error))) failed = writes
        if (isIoFailure(error) || error instanceof OutcomeUnknown) isWalSuspect = true
        // SQLite has already rolled back after some failures, including disk failures.
        if (database.inTransaction) database.run('ROLLBACK')
        database.run(USUAL_CACHE)
        throw error
      }
    },
    close: () => database.close(),
  }
}

const isWrite = (call: Call): call is Write => call[0] !== 'ping' && call[0] !== 'reportDamage'
