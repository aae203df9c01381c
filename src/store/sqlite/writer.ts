import type { Database } from 'bun:sqlite'
import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import type { Pet } from '../../contract/pet.ts'
import type { KeyUse, NewKeyRecord } from '../store.ts'
import { assertInPlace, type OpenedFile } from './file-check.ts'
import { CHECKPOINT_BYTES, emptyLog, openConnection } from './open.ts'
import * as rows from './pet-rows.ts'
import { FileFault, fileCannotAnswer, isDamage, isIoFailure, retryWhileBusy } from './sqlite-errors.ts'

declare const self: Worker

/** Flat arrays of plain values: the runtime passes them between threads without traversing them. */
export type ToWriter = readonly [id: number, method: string, ...args: readonly unknown[]]
type Outcome = 'done' | 'cannot-answer' | 'damaged' | 'not-open' | 'failed'
export type FromWriter = readonly [id: number, outcome: Outcome, content: unknown]

export interface WriterOptions {
  readonly path: string
  /** The files that were opened at the path. */
  readonly files: readonly OpenedFile[]
  /** The wait for another process that holds the write lock. */
  readonly lockMs: number
}

export type Writer = ReturnType<typeof openWriter>

const EXPIRED_PER_KEY = 2

/** All writes, one transaction each. Synchronous, so that no transaction spans turns of the event loop. */
function openWriter({ path, files, lockMs }: WriterOptions) {
  const database = openConnection(path)
  const write = writeTransactions(database, files, lockMs)
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
    addPets: (plain: string, plainCount: number, keyed: string): string => {
      const { result, commitMs } = write(() => ({
        // No other process writes in between, so their identifiers are consecutive.
        lastId: plainCount === 0 ? 0n : BigInt(insertPets.run(plain).lastInsertRowid),
        keyed: keyed === '' ? [] : (JSON.parse(keyed) as rows.KeyedRow[]).map(addKeyed),
      }))
      const firstId = String(result.lastId - BigInt(plainCount) + 1n)
      return JSON.stringify({ firstId, keyed: result.keyed, commitMs } satisfies rows.BatchOutcome)
    },
    addKey: ({ id, name, hint, hash, createdAt, expiresAt }: NewKeyRecord): void => {
      const expiry = expiresAt === undefined ? null : timeOf(expiresAt)
      write(() => insertKey.run(id, name, hint, hash, timeOf(createdAt), expiry))
    },
    revokeKey: (id: string, at: Date): boolean => write(() => revoke.run(timeOf(at), id)).result.changes > 0,
    recordKeyUses: (uses: readonly KeyUse[]): void => {
      write(() => {
        for (const { id, at, deprecatedCalls } of uses)
          recordUse.run({ id, at: timeOf(at), calls: BigInt(deprecatedCalls) })
      })
    },
    close: (): void => database.close(),
  }
}

type Write = <T>(work: () => T) => { readonly result: T; readonly commitMs: number }

/** Transactions that acknowledge nothing that could be lost. */
function writeTransactions(database: Database, files: readonly OpenedFile[], lockMs: number): Write {
  const begin = database.query('BEGIN IMMEDIATE')
  const commit = database.query('COMMIT')
  /**
   * After a failed sync the log holds the refused transaction behind its valid end, and the system may consider its pages
   * written although they are not (it reports the failure once). SQLite does not show such a transaction, but a recovery
   * after a crash would. So before the next write, the valid part is copied into the database and the log is emptied.
   */
  let isLogSuspect = false

  function settleLog(): void {
    assertInPlace(files)
    if (!emptyLog(database))
      throw new FileFault('The log must be emptied after a failure of the disk, but another process uses it.')
    isLogSuspect = false
  }

  return work => {
    try {
      if (isLogSuspect) settleLog()
      retryWhileBusy(lockMs, () => begin.run())
      const result = work()
      // A commit counts only if the next start finds it.
      const logSize = assertInPlace(files)
      const commitBegan = performance.now()
      commit.run()
      const commitMs = performance.now() - commitBegan
      // Writers without a pause between them keep SQLite from starting the log anew by itself.
      if (logSize > 2 * CHECKPOINT_BYTES) ignoreFailure(() => emptyLog(database))
      return { result, commitMs }
    } catch (error) {
      if (isIoFailure(error)) isLogSuspect = true
      // SQLite has already rolled back after some failures, including those of the disk.
      if (database.inTransaction) database.run('ROLLBACK')
      throw error
    }
  }
}

function ignoreFailure(work: () => unknown): void {
  try {
    work()
  } catch {
    // What was committed stays so, and is tried again by a later write.
  }
}

const timeOf = (date: Date): bigint => BigInt(date.getTime())
const lifetimeAgo = (): bigint => BigInt(Date.now() - IDEMPOTENCY_LIFETIME_MS)

type Methods = Partial<Record<string, (...args: readonly unknown[]) => unknown>>
let writer: Methods | undefined

/** Answers the calls in their order. The first one opens the database. */
function answer([id, method, ...args]: ToWriter): FromWriter {
  try {
    if (writer !== undefined) return [id, 'done', writer[method]?.(...args)]
    writer = openWriter(args[0] as WriterOptions) as unknown as Methods
    return [id, 'done', undefined]
  } catch (error) {
    const answering = isDamage(error) ? 'damaged' : fileCannotAnswer(error) ? 'cannot-answer' : 'failed'
    return [id, writer === undefined ? 'not-open' : answering, String(error)]
  }
}

self.onmessage = ({ data }: MessageEvent<ToWriter>) => self.postMessage(answer(data))
