import type { Database } from 'bun:sqlite'
import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import type { Pet } from '../../contract/pet.ts'
import type { KeyUse, NewKeyRecord } from '../store.ts'
import { assertInPlace, type OpenedFile } from './file-check.ts'
import { CHECKPOINT_BYTES, emptyLog, openConnection } from './open.ts'
import * as rows from './pet-rows.ts'
import { FileFault, fileCannotAnswer, isDamage, isIoFailure, retryWhileBusy } from './sqlite-errors.ts'

declare const self: Worker

/** Flat arrays of plain values, which the runtime passes between threads without traversing them. */
export type ToWriter = readonly [id: number, method: keyof Writer, ...args: readonly unknown[]]
type Outcome = 'done' | 'cannot-answer' | 'damaged' | 'failed'
/** One response per transaction carries its size and times. */
export type FromWriter = readonly [id: number, outcome: Outcome, content: unknown, stored?: StoredBatch]

/** The number of animals in one transaction, how long it took, and how long its commit took, including the sync. */
export type StoredBatch = readonly [size: number, durationMs: number, commitMs: number]

export interface WriterOptions {
  readonly path: string
  /** The files that were opened at the path. */
  readonly files: readonly OpenedFile[]
  /** How long to wait for another process's write lock. */
  readonly lockMs: number
}

type Methods = ReturnType<typeof writerMethods>
export type Writer = Methods & { ping(): void; noteDamage(message: string): void }

const EXPIRED_PER_KEY = 2

/** All writes. They are synchronous, so that no transaction spans turns of the event loop. */
function writerMethods(database: Database) {
  const insertPet = database.query<never, string[]>(rows.INSERT_PET)
  const insertPets = database.query<never, [string]>(rows.INSERT_PETS)
  const remembered = database.query<Pet, [string, string, bigint]>(
    `SELECT ${rows.SELECTED_PET} FROM idempotency JOIN pets ON pets.id = pet_id
     WHERE key_id = ? AND key = ? AND created_at > ?`,
  )
  const remember = database.query<never, [string, string, bigint, bigint]>(
    'INSERT OR REPLACE INTO idempotency (key_id, key, pet_id, created_at) VALUES (?, ?, ?, ?)',
  )
  const forgetExpired = database.query<never, [bigint, number]>(
    `DELETE FROM idempotency WHERE (key_id, key) IN
       (SELECT key_id, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ? + 0)`,
  )
  const insertKey = database.query<never, [string, string, string, string, bigint, bigint | null]>(
    'INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const revoke = database.query<never, [bigint, string]>(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  )
  const recordUse = database.query<never, { at: bigint; calls: bigint; id: string }>(
    `UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), $at), deprecated_calls = deprecated_calls + $calls,
       deprecated_call_at = iif($calls > 0, max(coalesce(deprecated_call_at, 0), $at), deprecated_call_at) WHERE id = $id`,
  )

  function addKeyed([keyId, key, values]: rows.KeyedRow): rows.KeyedOutcome {
    const earlier = remembered.get(keyId, key, lifetimeAgo())
    if (earlier !== null) return [String(earlier.id), rows.valuesOf(earlier)]
    const id = BigInt(insertPet.run(...values).lastInsertRowid)
    remember.run(keyId, key, id, BigInt(Date.now()))
    forgetExpired.run(lifetimeAgo(), EXPIRED_PER_KEY)
    return [String(id)]
  }

  return {
    addPets: (plain: string, plainCount: number, keyed: string, _keyedCount: number): string => {
      // No other process writes during the transaction, so their identifiers are consecutive.
      const lastId = plainCount === 0 ? 0n : BigInt(insertPets.run(plain).lastInsertRowid)
      const firstId = String(lastId - BigInt(plainCount) + 1n)
      const outcomes = keyed === '' ? [] : (JSON.parse(keyed) as rows.KeyedRow[]).map(addKeyed)
      return JSON.stringify({ firstId, keyed: outcomes } satisfies rows.BatchOutcome)
    },
    addKey: ({ id, name, hint, hash, createdAt, expiresAt }: NewKeyRecord): void => {
      const expiry = expiresAt === undefined ? null : millis(expiresAt)
      insertKey.run(id, name, hint, hash, millis(createdAt), expiry)
    },
    revokeKey: (id: string, at: Date): boolean => revoke.run(millis(at), id).changes > 0,
    recordKeyUses: (uses: readonly KeyUse[]): void => {
      for (const { id, at, deprecatedCalls } of uses)
        recordUse.run({ id, at: millis(at), calls: BigInt(deprecatedCalls) })
    },
  }
}

type Write = <T>(work: () => T) => { readonly result: T; readonly commitMs: number }

/** Transactions that report success only for writes that cannot be lost. */
function writeTransactions(database: Database, files: readonly OpenedFile[], lockMs: number): Write {
  const begin = database.query('BEGIN IMMEDIATE')
  const commit = database.query('COMMIT')
  /**
   * After a failed sync, the write-ahead log contains the failed transaction after its valid end, and the system may consider its
   * pages written although they are not, because it reports the failure only once. SQLite does not show such a transaction, but a
   * recovery after a crash would. So before the next write, the valid part is copied into the database and the log is emptied.
   */
  let isLogSuspect = false

  function settleLog(): void {
    assertInPlace(files)
    if (!emptyLog(database))
      throw new FileFault(
        'The write-ahead log must be emptied after a disk failure, but another process is using it.',
      )
    isLogSuspect = false
  }

  return work => {
    try {
      if (isLogSuspect) settleLog()
      retryWhileBusy(lockMs, () => begin.run())
      const result = work()
      // A commit counts only if the next start will find it.
      const logSize = assertInPlace(files)
      const commitBegan = performance.now()
      commit.run()
      const commitMs = performance.now() - commitBegan
      // Without pauses between writes, SQLite never restarts the write-ahead log by itself.
      if (logSize > 2 * CHECKPOINT_BYTES) ignoreFailure(() => emptyLog(database))
      return { result, commitMs }
    } catch (error) {
      if (isIoFailure(error)) isLogSuspect = true
      // SQLite has already rolled back after some failures, including disk failures.
      if (database.inTransaction) database.run('ROLLBACK')
      throw error
    }
  }
}

function ignoreFailure(work: () => unknown): void {
  try {
    work()
  } catch {
    // The transaction is already committed; a later write tries again to empty the write-ahead log.
  }
}

const millis = (date: Date): bigint => BigInt(date.getTime())
const lifetimeAgo = (): bigint => BigInt(Date.now() - IDEMPOTENCY_LIFETIME_MS)

interface WriterCall {
  readonly port: MessagePort
  readonly message: ToWriter
}

/** Serves calls from all threads of the service. Waiting calls share one transaction and therefore one sync. */
class WriteQueue {
  readonly #options: WriterOptions
  readonly #waiting: WriterCall[] = []
  #database: Database | undefined
  #run: ((calls: readonly WriterCall[]) => { results: unknown[]; stored: StoredBatch }) | undefined
  /** Remembered, because SQLite may not detect it again. */
  #damage: string | undefined

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Accepts the calls of one thread. */
  connect(port: MessagePort): void {
    port.onmessage = ({ data: message }: { data: ToWriter }) => {
      if (message[1] === 'noteDamage') this.#damage ??= String(message[2])
      // One turn of the event loop lets calls that arrived together, from any thread, share the transaction.
      if (this.#waiting.push({ port, message }) === 1)
        setImmediate(() => this.#answer(this.#waiting.splice(0)))
    }
  }

  close(): void {
    this.#database?.close()
  }

  #answer(calls: readonly WriterCall[]): void {
    let done: { readonly results: unknown[]; readonly stored: StoredBatch }
    try {
      if (this.#damage !== undefined) throw new DamagedDatabase(this.#damage)
      this.#run ??= this.#open()
      done = this.#run(calls)
    } catch (error) {
      this.#fail(calls, error)
      return
    }
    // The transaction is committed: nothing that fails from here on may lead to another attempt.
    const { results, stored } = done
    for (const [index, { port, message }] of calls.entries()) {
      const response: FromWriter = [message[0], 'done', results[index]]
      port.postMessage(index === 0 && stored[0] > 0 ? [...response, stored] : response)
    }
  }

  #fail(calls: readonly WriterCall[], error: unknown): void {
    const outcome = outcomeOf(error)
    if (outcome === 'damaged') this.#damage ??= String(error)
    // One bad call fails the whole transaction, so each call is retried alone.
    if (outcome === 'failed' && calls.length > 1) for (const call of calls) this.#answer([call])
    else
      for (const { port, message } of calls)
        port.postMessage([message[0], outcome, String(error)] satisfies FromWriter)
  }

  /** Opens the database on the first call, or on the next one if that fails. */
  #open() {
    const { path, files, lockMs } = this.#options
    const database = openConnection(path)
    const methods = writerMethods(database) as unknown as Record<string, (...args: unknown[]) => unknown>
    const write = writeTransactions(database, files, lockMs)
    this.#database = database
    return (calls: readonly WriterCall[]) => {
      const began = performance.now()
      const perform = () => calls.map(({ message: [, method, ...args] }) => methods[method]?.(...args))
      const isWrite = calls.some(({ message: [, method] }) => method in methods)
      const { result: results, commitMs } = isWrite ? write(perform) : { result: [], commitMs: 0 }
      const size = calls.reduce((sum, { message }) => sum + sizeOf(message), 0)
      return { results, stored: [size, performance.now() - began, commitMs] as const }
    }
  }
}

class DamagedDatabase extends Error {}

const outcomeOf = (error: unknown): Outcome =>
  error instanceof DamagedDatabase || isDamage(error)
    ? 'damaged'
    : fileCannotAnswer(error)
      ? 'cannot-answer'
      : 'failed'

/** The number of animals that a call adds. */
const sizeOf = ([, method, , plainCount, , keyedCount]: ToWriter): number =>
  method === 'addPets' ? Number(plainCount) + Number(keyedCount) : 0

let thread: WriteQueue | undefined

/** The main thread sends the options, then a port for each thread that writes, and finally `close`. */
self.onmessage = ({ data }: MessageEvent<WriterOptions | MessagePort | 'close'>) => {
  if (data instanceof MessagePort) thread?.connect(data)
  else if (data !== 'close') thread = new WriteQueue(data)
  else {
    thread?.close()
    self.postMessage('closed')
  }
}
