import type { Database } from 'bun:sqlite'
import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import type { Pet } from '../../contract/pet.ts'
import { RELEASE } from '../../release.ts'
import { PET_AS_OBJECT } from '../rows.ts'
import type { KeyUse, NewKeyRecord } from '../store.ts'
import { type BatchOutcome, type KeyedOutcome, type KeyedRow, NEW_FIELDS, valuesOf } from './batch.ts'
import { FileCheck } from './file-check.ts'
import { CHECKPOINT_PAGES, emptyLog, openConnection } from './open.ts'
import { FileFault, fileCannotAnswer, isDamage, isIoFailure, retryWhileBusy } from './sqlite-errors.ts'

declare const self: Worker

/** Flat arrays of plain values: the runtime passes them between threads without traversing them. */
export type ToWriter = readonly [id: number, method: string, ...args: readonly unknown[]]
export type FromWriter = readonly [
  id: number,
  outcome: 'done' | 'cannot-answer' | 'damaged' | 'not-open' | 'failed',
  content: unknown,
]

export interface WriterOptions {
  readonly release: string
  readonly path: string
  /** The files that were opened at the path. */
  readonly fileIds: readonly string[]
  /** The wait for another process that holds the write lock. */
  readonly lockMs: number
}

export type Writer = ReturnType<typeof openWriter>

const EXPIRED_AT_OPEN = 1000
const EXPIRED_PER_KEY = 2

const columns = NEW_FIELDS.map(({ column }) => column).join(', ')
const valuesFrom = (value: (index: number) => string): string =>
  NEW_FIELDS.map(({ kind }, index) =>
    kind === 'int64' ? `CAST(${value(index)} AS INTEGER)` : value(index),
  ).join(', ')

const INSERT_PET = `INSERT INTO pets (${columns}) VALUES (${valuesFrom(() => '?')})`
const INSERT_PETS = `INSERT INTO pets (${columns})
  SELECT ${valuesFrom(index => `value ->> ${index}`)} FROM json_each(?) ORDER BY key`
const REMEMBERED = `SELECT ${PET_AS_OBJECT} FROM idempotency JOIN pets ON pets.id = pet_id
  WHERE key_id = ? AND key = ? AND created_at > ?`
const REMEMBER = 'INSERT OR REPLACE INTO idempotency (key_id, key, pet_id, created_at) VALUES (?, ?, ?, ?)'
const FORGET_EXPIRED = `DELETE FROM idempotency WHERE (key_id, key) IN
  (SELECT key_id, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`
const INSERT_KEY =
  'INSERT INTO api_keys (id, name, hint, hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)'
const RECORD_USE = `UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), $at),
    deprecated_calls = deprecated_calls + $calls,
    deprecated_call_at = CASE WHEN $calls > 0 THEN max(coalesce(deprecated_call_at, 0), $at) ELSE deprecated_call_at END
  WHERE id = $id`

/** All writes, one transaction each. Synchronous, so that no transaction spans event loop turns. */
function openWriter({ release, path, fileIds, lockMs }: WriterOptions) {
  // A thread started after an upgrade runs the new files, whose methods may differ from those of its caller.
  if (release !== RELEASE)
    throw new Error(`Release ${RELEASE} was installed over ${release}, which runs. Start it again.`)
  const database = openConnection(path, 0)
  const write = writeTransactions(database, new FileCheck(path, database, fileIds))
  const insertPet = database.query<never, string[]>(INSERT_PET)
  const insertPets = database.query<never, [string]>(INSERT_PETS)
  const remembered = database.query<Pet, [string, string, bigint]>(REMEMBERED)
  const remember = database.query<never, [string, string, bigint, bigint]>(REMEMBER)
  const forgetExpired = database.query<never, [bigint, number]>(FORGET_EXPIRED)
  const insertKey = database.query<never, [string, string, string, string, bigint, bigint | null]>(INSERT_KEY)
  const revoke = database.query<never, [bigint, string]>(
    'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  )
  const recordUse = database.query<never, { at: bigint; calls: bigint; id: string }>(RECORD_USE)

  function addKeyed([keyId, key, values]: KeyedRow): KeyedOutcome {
    const now = Date.now()
    const known = remembered.get(keyId, key, BigInt(now - IDEMPOTENCY_LIFETIME_MS))
    if (known !== null) return [String(known.id), valuesOf(known)]
    const id = BigInt(insertPet.run(...values).lastInsertRowid)
    remember.run(keyId, key, id, BigInt(now))
    return [String(id)]
  }

  function addAllKeyed(rows: readonly KeyedRow[]): KeyedOutcome[] {
    const outcomes = rows.map(addKeyed)
    forgetExpired.run(lifetimeAgo(), EXPIRED_PER_KEY * rows.length)
    return outcomes
  }

  function sweep(): void {
    const oldest = database
      .query<{ at: bigint | null }, []>('SELECT min(created_at) AS at FROM idempotency')
      .get()?.at
    if (oldest && oldest <= lifetimeAgo()) write(0, () => forgetExpired.run(lifetimeAgo(), EXPIRED_AT_OPEN))
  }

  try {
    sweep()
  } catch (error) {
    // Expired keys are ignored anyway, and each new one removes two of them.
    if (!fileCannotAnswer(error)) throw error
  }

  return {
    addPets: (plain: string, plainCount: number, keyed: string): string => {
      const { result, commitMs } = write(lockMs, () => ({
        // One statement for all rows: no other process writes in between, so their identifiers are consecutive.
        lastId: plainCount === 0 ? 0n : BigInt(insertPets.run(plain).lastInsertRowid),
        keyed: keyed === '' ? [] : addAllKeyed(JSON.parse(keyed) as KeyedRow[]),
      }))
      const firstId = String(result.lastId - BigInt(plainCount) + 1n)
      return JSON.stringify({ firstId, keyed: result.keyed, commitMs } satisfies BatchOutcome)
    },
    addKey: ({ id, name, hint, hash, createdAt, expiresAt }: NewKeyRecord): void => {
      const expiry = expiresAt === undefined ? null : timeOf(expiresAt)
      write(lockMs, () => insertKey.run(id, name, hint, hash, timeOf(createdAt), expiry))
    },
    revokeKey: (id: string, at: Date): boolean =>
      write(lockMs, () => revoke.run(timeOf(at), id)).result.changes > 0,
    recordKeyUses: (uses: readonly KeyUse[]): void => {
      write(lockMs, () => {
        for (const { id, at, deprecatedCalls } of uses)
          recordUse.run({ at: timeOf(at), calls: BigInt(deprecatedCalls), id })
      })
    },
    close: (): void => database.close(),
  }
}

type Write = <T>(lockMs: number, work: () => T) => { readonly result: T; readonly commitMs: number }

/** Transactions that acknowledge nothing that could be lost. */
function writeTransactions(database: Database, files: FileCheck): Write {
  const begin = database.query('BEGIN IMMEDIATE')
  const commit = database.query('COMMIT')
  /**
   * After a failed sync the log holds the refused transaction behind its valid end, and the system may consider its pages
   * written although they are not (it reports the failure once). SQLite does not show such a transaction, but a recovery
   * after a crash would. So before the next write, the valid part is copied into the database and the log is emptied.
   */
  let isLogSuspect = false

  function settleLog(lockMs: number): void {
    retryWhileBusy(lockMs, () => begin.run())
    files.assertWhole()
    database.run('ROLLBACK')
    if (!emptyLog(database))
      throw new FileFault('The log must be emptied after a failure of the disk, but another process uses it.')
    isLogSuspect = false
  }

  /** Writers without a pause between them keep SQLite from starting the log anew by itself. */
  function shortenLog(): void {
    try {
      emptyLog(database)
    } catch (error) {
      // What was committed stays committed.
      if (isIoFailure(error)) isLogSuspect = true
    }
  }

  return (lockMs, work) => {
    try {
      if (isLogSuspect) settleLog(lockMs)
      retryWhileBusy(lockMs, () => begin.run())
      const result = work()
      // A commit counts only if the next start finds it: in these files, behind a log without a gap.
      const pages = files.assertWhole()
      const commitBegan = performance.now()
      commit.run()
      const commitMs = performance.now() - commitBegan
      if (pages > 2 * CHECKPOINT_PAGES) shortenLog()
      return { result, commitMs }
    } catch (error) {
      if (isIoFailure(error)) isLogSuspect = true
      // SQLite has already rolled back after some failures, including those of the disk.
      if (database.inTransaction) database.run('ROLLBACK')
      throw error
    }
  }
}

const timeOf = (date: Date): bigint => BigInt(date.getTime())
const lifetimeAgo = (): bigint => BigInt(Date.now() - IDEMPOTENCY_LIFETIME_MS)

type Methods = Partial<Record<string, (...args: readonly unknown[]) => unknown>>

/** Answers the calls in their order. The first is `open`. */
function serve(): (call: ToWriter) => void {
  let writer: Methods | undefined
  const answer = ([id, method, ...args]: ToWriter): FromWriter => {
    try {
      if (writer !== undefined) return [id, 'done', writer[method]?.(...args)]
      writer = openWriter(args[0] as WriterOptions) as unknown as Methods
      return [id, 'done', undefined]
    } catch (error) {
      if (writer === undefined) return [id, 'not-open', String(error)]
      return [
        id,
        isDamage(error) ? 'damaged' : fileCannotAnswer(error) ? 'cannot-answer' : 'failed',
        String(error),
      ]
    }
  }
  return call => self.postMessage(answer(call))
}

const answer = serve()
self.onmessage = ({ data }: MessageEvent<ToWriter>) => answer(data)
