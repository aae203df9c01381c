import pg from 'pg'
import type { Exit } from '../../../exit-codes.ts'

/** SQLSTATE classes that say the server cannot serve now, whatever the statement. */
const CANNOT_ANSWER = new Map([
  ['08', 'connection exception'],
  ['25', 'invalid transaction state: a standby is read-only'],
  ['28', 'invalid authorisation'],
  ['3D', 'no such database'],
  ['40', 'transaction rollback: deadlock or serialisation failure'],
  ['53', 'insufficient resources: disk, memory or connections'],
  ['55', 'object not in the state it must be in: lock not available'],
  ['57', 'operator intervention: shutdown, cancelled, starting up'],
  ['58', 'system error: input or output'],
  ['XX', 'internal error: corrupted data'],
])

const sqlState = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.code : undefined

const LOCK_NOT_AVAILABLE = '55P03'
export const lockNotAvailable = (error: unknown): boolean => sqlState(error) === LOCK_NOT_AVAILABLE

/** The server rolled the transaction back because of another one, so a retry may succeed. */
export const wasRolledBack = (error: unknown): boolean => ['40001', '40P01'].includes(sqlState(error) ?? '')

/** An error that did not come from the server is a connection failure. */
export function serverCannotAnswer(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined || CANNOT_ANSWER.has(state.slice(0, 2))
}

const STATEMENT_CANCELLED = '57014'
/** Whether the statement may have been committed despite the error: the connection or the server went away during it. */
export function isUndecided(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined || (/^(?:08|57)/.test(state) && state !== STATEMENT_CANCELLED)
}

/** A wrong password or database stays wrong; after any other failure to answer, a retry may succeed. */
export const exitOf = (error: unknown): Exit =>
  serverCannotAnswer(error) && !/^(28|3D)/.test(sqlState(error) ?? '') ? 'unavailable' : 'failed'
