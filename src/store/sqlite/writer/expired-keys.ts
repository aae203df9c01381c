import type { Database } from 'bun:sqlite'
import type { WriteTransaction } from './write-transactions.ts'

/** Idempotency keys stored up to a given time: counts them, and removes the oldest first. */
export function expiredSqliteKeys(database: Database, transaction: WriteTransaction) {
  const count = database.query<{ expired: bigint }, [bigint, number]>(
    'SELECT count(*) AS expired FROM (SELECT 1 FROM idempotency WHERE created_at <= ? LIMIT ?)',
  )
  const forget = database.query<never, [bigint, number]>(
    `DELETE FROM idempotency WHERE (key_id, key) IN
       (SELECT key_id, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
  )

  return {
    countExpiredKeys: (time: Date, atMost: number): number =>
      Number(count.get(BigInt(time.getTime()), atMost)?.expired),
    forgetExpiredKeys: (time: Date, atMost: number): { forgotten: number; workMs: number } =>
      transaction(() => {
        const started = performance.now()
        const { changes } = forget.run(BigInt(time.getTime()), atMost)
        return { forgotten: changes, workMs: performance.now() - started }
      }),
  }
}
