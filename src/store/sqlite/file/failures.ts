import { SQLiteError } from 'bun:sqlite'

const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26
/** A log cannot be created beside the database. */
const READONLY_DIRECTORY = READONLY | (6 << 8)

/** Primary result codes for a disk or file that cannot serve now. Any other code is a bug of ours. */
const CANNOT_ANSWER = new Set([BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB])

/** The state of the files forbids continuing, although SQLite would. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}

/** The low byte is the primary code; the rest distinguishes variants. */
const primaryCode = (error: unknown): number | undefined =>
  error instanceof SQLiteError ? error.errno & 0xff : undefined

export const fileCannotAnswer = (error: unknown): boolean =>
  error instanceof FileFault || CANNOT_ANSWER.has(primaryCode(error) ?? 0)

export const isDamage = (error: unknown): error is SQLiteError =>
  [CORRUPT, NOTADB].includes(primaryCode(error) ?? 0)

/** A read, write or sync failed, so the contents of the disk are unknown. */
export const isIoFailure = (error: unknown): boolean => primaryCode(error) === IOERR

export const isDiskFull = (error: unknown): boolean => primaryCode(error) === FULL

export const isBusy = (error: unknown): boolean => primaryCode(error) === BUSY

export const isUnopenable = (error: unknown): boolean =>
  primaryCode(error) === CANTOPEN || (error instanceof SQLiteError && error.errno === READONLY_DIRECTORY)
