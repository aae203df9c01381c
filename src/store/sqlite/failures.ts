import { SQLiteError } from 'bun:sqlite'
import { PetstoreError } from '../../contract/errors.ts'

/** Primary result codes that say the disk or the file cannot serve now. Anything else is a fault of ours. */
const CANNOT_ANSWER = new Map([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [26, 'SQLITE_NOTADB'],
])

/** The low byte is the primary code; the rest tells variants apart. */
const primaryCode = (error: unknown): number | undefined =>
  error instanceof SQLiteError ? error.errno & 0xff : undefined

export const cannotAnswer = (error: unknown): boolean => CANNOT_ANSWER.has(primaryCode(error) ?? 0)

const SQLITE_BUSY = 5
export const isBusy = (error: unknown): boolean => primaryCode(error) === SQLITE_BUSY

export const unavailable = (cause: unknown): PetstoreError =>
  new PetstoreError('unavailable', 'The storage cannot answer right now. Try again shortly.', { cause })

/** Runs a read; says `unavailable` where the storage is at fault. */
export function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw cannotAnswer(error) ? unavailable(error) : error
  }
}
