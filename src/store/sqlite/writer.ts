import type { Event } from '../../observability/events.ts'
import { codeOf, messageOf } from '../../operator-error.ts'
import { COPY_MARK } from '../copy.ts'
import { OutcomeUnknown, StorageUnavailable, type Trouble } from '../errors.ts'
import { CHECKPOINT_BYTES, connect, emptyLog } from './connect.ts'
import { assertInPlace, type OpenedFile, PAGE_BYTES, troubleOf } from './file-check.ts'
import { setMeta, WRITE_FIRST_PAGE } from './schema.ts'
import { isDamage, isIoFailure, retryWhileBusy, troubleIn } from './sqlite-errors.ts'
import { type Write, type Written, writesOf } from './writes.ts'

/** A ping fails if a create would. After a report that a read has found damage, all calls fail. */
export type Call = Write | readonly ['ping'] | readonly ['reportDamage', message: string]
export type Result = Written['result']

export type ToWriter = readonly [id: number, ...Call]
/** If a transaction added animals, one of its responses carries the event. */
export type FromWriter =
  | readonly [id: number, 'done', result: Result, stored: Event | undefined]
  | readonly [id: number, Failure, message: string, code: string, Trouble | undefined]
type Failure = 'unavailable' | 'unknown' | 'failed'

export interface WriterOptions {
  readonly path: string
  /** The files that were opened at the path. */
  readonly files: readonly OpenedFile[]
  /** How long to wait for another process's write lock. */
  readonly lockMs: number
}

interface WaitingCall {
  readonly port: MessagePort
  readonly id: number
  readonly call: Call
}

interface Done {
  readonly results: readonly Result[]
  readonly stored: Event | undefined
}

const USUAL_CACHE = 'PRAGMA cache_size = -2000'
/** Of eight pages, which push a trial's last pages out of the cache. */
const LARGE_ROW = `INSERT INTO pets (name, category_id, status) VALUES (hex(zeroblob(${4 * PAGE_BYTES})), 0, 'sold')`

/** Opens the database to run calls in transactions that report success only for writes that cannot be lost. */
function openWriter({ path, files, lockMs }: WriterOptions) {
  const database = connect(path, 'durable')
  const perform = writesOf(database)
  const begin = database.query('BEGIN IMMEDIATE')
  const commit = database.query('COMMIT')
  /**
   * After a failed sync, the write-ahead log contains the failed transaction after its valid end, and the system may consider its
   * pages written although they are not, because it reports the failure only once. SQLite does not show such a transaction, but a
   * recovery after a crash would. So before the next write, the valid part is copied into the database and the log is emptied.
   */
  let isLogSuspect = false
  /** Writes that failed, for example because the disk is full, until a create or a trial succeeds. Empty at first. */
  let failed: readonly Write[] | undefined = []
  /** When the last checkpoint before the last transaction was. */
  let checkpointedAt = 0
  const copyMark = database.query(`SELECT 1 FROM meta WHERE name = '${COPY_MARK}'`)

  function settleLog(): void {
    assertInPlace(files)
    if (!emptyLog(database))
      throw new StorageUnavailable(
        'After a disk failure the log must be emptied, but another process uses it.',
      )
    isLogSuspect = false
  }

  /** Within the transaction, so that nothing is stored that a copy lacks. */
  function assertUnmarked(): void {
    const reason = 'The database is part of a copy, so it is refused; petstore doctor says more.'
    if (copyMark.get() !== null) throw new StorageUnavailable(reason, 'copied')
  }

  /** A create, taken back. With a cache of one page, SQLite writes the others to the log before the commit, which finds room there. */
  function tryCreate(writes: readonly Write[]): void {
    database.run('PRAGMA cache_size = 1; SAVEPOINT trial')
    writes.map(perform)
    database.run(LARGE_ROW)
    database.run(`ROLLBACK TO trial; ${USUAL_CACHE}`)
    // What was taken back is not synced, but the commit of this is.
    setMeta(database, 'tried_at', String(Date.now()))
  }

  function write(calls: readonly Call[], trial: readonly Write[] | undefined): Done {
    const began = performance.now()
    if (isLogSuspect) settleLog()
    retryWhileBusy(lockMs, () => begin.run())
    assertUnmarked()
    if (trial) tryCreate(trial)
    const written = calls.map(call => (isWrite(call) ? perform(call) : {}))
    // A commit counts only if the next start will find it.
    const { changedAt, logSize } = assertInPlace(files)
    // After a checkpoint, this may be the first transaction of a new log, which must tell its database file.
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
      if (logSize > 2 * CHECKPOINT_BYTES) emptyLog(database)
    } catch {
      // The transaction is already committed; a later write tries again to empty the write-ahead log.
    }
    const results = written.map(({ result }) => result)
    const size = written.reduce((sum, { animals = 0 }) => sum + animals, 0)
    const durationMs = performance.now() - began
    return { results, stored: size > 0 ? { kind: 'batch-stored', size, durationMs, commitMs } : undefined }
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
        if (isIoFailure(error) || error instanceof OutcomeUnknown) isLogSuspect = true
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

/** Serves calls from all threads of the service. Waiting calls share one transaction and therefore one sync. */
export class WriteQueue {
  readonly #options: WriterOptions
  readonly #waiting: WaitingCall[] = []
  /** Opened by the first call, or by the next one if that fails. */
  #writer: ReturnType<typeof openWriter> | undefined
  /** Remembered, because SQLite may not detect it again. From then on every call fails, whichever thread makes it. */
  #damage: StorageUnavailable | undefined

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Accepts the calls of one thread. */
  connect(port: MessagePort): void {
    port.onmessage = ({ data: [id, ...call] }: { data: ToWriter }) => {
      if (call[0] === 'reportDamage') this.#rememberDamage(call[1])
      // One turn of the event loop lets calls that arrived together, from any thread, share the transaction.
      if (this.#waiting.push({ port, id, call }) === 1) setImmediate(() => this.#run(this.#waiting.splice(0)))
    }
  }

  close(): void {
    this.#writer?.close()
  }

  /** Runs calls in one transaction and sends their results. */
  #run(calls: readonly WaitingCall[]): void {
    let done: Done
    try {
      if (this.#damage !== undefined) throw this.#damage
      this.#writer ??= openWriter(this.#options)
      done = this.#writer.run(calls.map(({ call }) => call))
    } catch (error) {
      this.#fail(calls, error)
      return
    }
    // The transaction is committed: nothing that fails from here on may lead to another attempt.
    const { results, stored } = done
    for (const [index, { port, id }] of calls.entries())
      port.postMessage([id, 'done', results[index], index === 0 ? stored : undefined] satisfies FromWriter)
  }

  #fail(calls: readonly WaitingCall[], error: unknown): void {
    if (isDamage(error)) this.#rememberDamage(error.message)
    const isInDoubt = error instanceof OutcomeUnknown
    const reason = error instanceof StorageUnavailable ? error.cause : error
    const trouble = troubleOf(error, this.#options.path)
    const outcome = trouble ? 'unavailable' : 'failed'
    const failure = [isInDoubt ? 'unknown' : outcome, messageOf(reason), codeOf(reason), trouble] as const
    // One bad call fails the whole transaction, so each call is retried alone.
    if (outcome === 'failed' && calls.length > 1) for (const call of calls) this.#run([call])
    else for (const { port, id } of calls) port.postMessage([id, ...failure] satisfies FromWriter)
  }

  #rememberDamage(reason: string): void {
    const advice = 'Restore it from a backup and restart the service.'
    const problem = `The database ${this.#options.path} is damaged (${reason}). ${advice}`
    this.#damage ??= new StorageUnavailable(problem, 'damaged')
  }
}
