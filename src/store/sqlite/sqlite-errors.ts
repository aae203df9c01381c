import { SQLiteError } from 'bun:sqlite'
import { commandName } from '../../command-name.ts'
import { isSystemError, OperatorError } from '../../operator-error.ts'
import { StorageUnavailable, type Trouble } from '../errors.ts'

/** Primary result codes for a disk or file that cannot be used right now. Any other code is a bug in this program. */
const CODES = {
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
}

/** The files at a path are not one intact database. */
export class DamagedFiles extends OperatorError {
  readonly problem: string

  constructor(problem: string, cause?: unknown) {
    const advice = `Put back the file that was there (docs/backups.md), or go back to a backup: ${commandName()} restore BACKUP --force keeps these files under another name`
    super(`${problem}. Nothing was changed. ${advice}.`, { cause, exit: 'refused' })
    this.problem = problem
  }
}

/** The low byte is the primary code; the rest distinguishes variants. */
const hasCode = (error: unknown, ...codes: readonly (keyof typeof CODES)[]): boolean =>
  error instanceof SQLiteError && codes.some(code => CODES[code] === (error.errno & 0xff))

/** What is wrong with the file or its disk. Undefined for any other failure, which is a bug in this program. */
export function troubleIn(error: unknown): Trouble | undefined {
  if (error instanceof StorageUnavailable) return error.trouble
  if (hasCode(error, 'BUSY', 'LOCKED')) return 'locked'
  if (isDiskFull(error)) return 'disk-full'
  if (isDamage(error)) return 'damaged'
  return isSystemError(error) || hasCode(error, 'READONLY', 'IOERR', 'CANTOPEN') ? 'failing' : undefined
}

export const isNoDatabase = (error: unknown): boolean => hasCode(error, 'NOTADB')
export const isDamage = (error: unknown): error is Error => hasCode(error, 'CORRUPT', 'NOTADB')

/** A read, write or sync failed, so the contents of the disk are unknown. */
export const isIoFailure = (error: unknown): boolean => hasCode(error, 'IOERR')
export const isDiskFull = (error: unknown): boolean => hasCode(error, 'FULL')

export const isBusy = (error: unknown): boolean =>
  hasCode(error, 'BUSY') || (error instanceof Error && error.cause !== undefined && isBusy(error.cause))

/** SQLite's own wait soon checks only every 100 ms, and may never find the lock free between two batches of a service. */
export function retryWhileBusy<T>(limitMs: number, work: () => T): T {
  const until = performance.now() + limitMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      Bun.sleepSync(1)
    }
  }
}
