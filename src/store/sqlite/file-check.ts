import type { Database } from 'bun:sqlite'
import { lstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { InvalidInput, OperatorError } from '../../operator-error.ts'
import { FileFault } from './sqlite-errors.ts'

const ROOT = 0
/** What SQLite keeps beside the database: the log, its index, and the journal of a database that is not in WAL mode. */
const LOG = '-wal'
const LOG_INDEX = '-shm'
const ENDINGS = ['', LOG, LOG_INDEX, '-journal']

/** The log and its index as sqlite.org/walformat.html describes them. */
const INDEX_FORMAT = 3007000
const INDEX_HEADER_BYTES = 48
const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** SQLite keeps its files beside the target of a link. What does not exist yet keeps its name. */
export function realPath(path: string): string {
  const absolute = resolve(path)
  if (statSync(absolute, { throwIfNoEntry: false }) !== undefined) return realpathSync(absolute)
  const folder = dirname(absolute)
  return folder === absolute ? absolute : join(realPath(folder), basename(absolute))
}

/** Whether a file is part of a database, or would become part of it when written. */
export const isPartOfDatabase = (path: string, file: string): boolean =>
  ENDINGS.some(ending => realPath(file) === realPath(path) + ending)

export const logBytes = (path: string): number =>
  statSync(realPath(path) + LOG, { throwIfNoEntry: false })?.size ?? 0

export const logOf = (path: string): string => realPath(path) + LOG

/** SQLite would block on a pipe, and root would leave files in a folder whose owner could not use them. */
export function refuseOddPlace(path: string): void {
  refuseRootElsewhere(path)
  for (const ending of ENDINGS) {
    const file = realPath(path) + ending
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found === undefined || found.isFile()) continue
    // A folder may have been named by mistake, and then it may hold the database.
    const remedy = ending === '' ? 'Name the file of a database.' : 'Remove it.'
    throw new OperatorError(`${file} is not a file. ${remedy}`)
  }
}

/** The owner of a folder decides what is in it, so root must not follow what they put there. */
export function refuseRootElsewhere(path: string): void {
  if (process.geteuid?.() !== ROOT) return
  const folder = dirname(realPath(path))
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid
  if (owner === undefined) refuseRootElsewhere(folder)
  else if (owner !== ROOT)
    throw new InvalidInput(`The folder ${folder} belongs to user ${owner}. Run this as that user.`)
}

/** Identifies a file, whichever links lead to it. */
export function fileId(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? 'none' : idOf(found)
}

const idOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`

/**
 * Whether the files of an open database are in place and whole. SQLite keeps writing to a file that was removed or replaced,
 * where nothing finds the data again. Only names are looked at: to close a file would release SQLite's locks on it.
 */
export class FileCheck {
  readonly #path: string
  readonly #database: Database
  readonly #names: readonly string[]
  /** The files that were opened, for a second connection to compare. */
  readonly ids: readonly string[]
  readonly #log: string
  #size: number
  #open: { readonly log: number; readonly index: number } | undefined

  /** Requires a connection that has already read something: only then are all of its files open. */
  constructor(path: string, database: Database, ids?: readonly string[]) {
    const real = realPath(path)
    this.#path = path
    this.#database = database
    this.#log = real + LOG
    this.#names = [path, this.#log, real + LOG_INDEX]
    this.ids = ids ?? this.#names.map(fileId)
    this.#size = statSync(path).size
  }

  assertInPlace(): void {
    for (const [index, name] of this.#names.entries()) {
      const found = statSync(name, { throwIfNoEntry: false })
      if (found === undefined || idOf(found) !== this.ids[index])
        throw new FileFault(
          `${name} was removed or replaced while the service runs. Put it back, or start the service again.`,
        )
      if (index === 0) this.#assertWhole(found.size)
    }
  }

  /** A database shrinks only when it is vacuumed, and then it also has fewer pages. */
  #assertWhole(size: number): void {
    if (size < this.#size && (size === 0 || size < this.#expectedSize()))
      throw new FileFault(
        `The database ${this.#path} was cut short while the service runs. Restore it from a backup and start the service again.`,
      )
    this.#size = size
  }

  #expectedSize(): number {
    const [pages, pageSize] = ['page_count', 'page_size'].map(name =>
      Number(this.#database.query(`PRAGMA ${name}`).values()[0]?.[0]),
    ) as [number, number]
    return pages * pageSize
  }

  /**
   * Whether the log holds what its index says. SQLite would go on behind a gap, and a recovery would end there. Only for who
   * holds the write lock: otherwise another process may be starting the log anew. Returns its number of pages.
   */
  assertLogWhole(): number {
    // Never closed: that would release SQLite's locks.
    this.#open ??= { log: openSync(this.#log, 'r'), index: openSync(this.#names[2] as string, 'r') }
    const index = new DataView(new ArrayBuffer(INDEX_HEADER_BYTES))
    readSync(this.#open.index, index, 0, INDEX_HEADER_BYTES, 0)
    const frames = index.getUint32(16, isLittleEndian)
    if (index.getUint32(0, isLittleEndian) !== INDEX_FORMAT || frames === 0) return 0
    const log = new DataView(new ArrayBuffer(LOG_HEADER_BYTES))
    readSync(this.#open.log, log, 0, LOG_HEADER_BYTES, 0)
    const pageSize = log.getUint32(8)
    // A log that was emptied and written to again has no header.
    const isSameLog = log.getBigUint64(16) === index.getBigUint64(32)
    if (!isSameLog || statSync(this.#log).size < LOG_HEADER_BYTES + frames * (pageSize + FRAME_HEADER_BYTES))
      throw new FileFault(`Its log ${this.#log} was cut short while the service runs`, { isDamage: true })
    return frames
  }
}
