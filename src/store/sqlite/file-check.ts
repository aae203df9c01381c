import type { Database } from 'bun:sqlite'
import {
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'
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
  if (existsSync(absolute)) return realpathSync(absolute)
  const folder = dirname(absolute)
  if (lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink())
    return realPath(resolve(folder, readlinkSync(absolute)))
  return folder === absolute ? absolute : join(realPath(folder), basename(absolute))
}

/** Whether a file is part of a database, or would become part of it when written. */
export const isPartOfDatabase = (path: string, file: string): boolean =>
  ENDINGS.some(ending => realPath(file) === realPath(path) + ending)

export const logOf = (path: string): string => realPath(path) + LOG

export const logBytes = (path: string): number => statSync(logOf(path), { throwIfNoEntry: false })?.size ?? 0

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
 * where nothing finds the data again.
 */
export class FileCheck {
  readonly #path: string
  readonly #database: Database
  readonly #names: readonly [database: string, log: string, index: string]
  /** The files that were opened, for another connection to compare. */
  readonly ids: readonly string[]
  #size: number
  /** Never closed: that would release SQLite's locks. */
  #opened: { readonly log: number; readonly index: number } | undefined

  /** Requires a connection that has already read something: only then are all of its files open. */
  constructor(path: string, database: Database, ids?: readonly string[]) {
    this.#path = path
    this.#database = database
    this.#names = [path, realPath(path) + LOG, realPath(path) + LOG_INDEX]
    this.ids = ids ?? this.#names.map(fileId)
    this.#size = statSync(path).size
  }

  /** Returns the size of the log. */
  assertInPlace(): number {
    const [database, log] = this.#names.map((name, index) => {
      const found = statSync(name, { throwIfNoEntry: false })
      if (found !== undefined && idOf(found) === this.ids[index]) return found.size
      throw new FileFault(
        `${name} was removed or replaced while the service runs. Put it back, or start the service again.`,
      )
    }) as [number, number]
    // A database shrinks only when it is vacuumed, and then it also has fewer pages.
    if (database < this.#size && (database === 0 || database < bytesOf(this.#database)))
      throw new FileFault(
        `The database ${this.#path} was cut short while the service runs. Restore it from a backup and start the service again.`,
      )
    this.#size = database
    return log
  }

  /**
   * Whether the log also holds what its index says: SQLite would go on behind a gap, and a recovery would end there. Only for
   * who holds the write lock, so that nobody starts the log anew meanwhile. Returns the number of pages in it.
   */
  assertWhole(): number {
    const logBytes = this.assertInPlace()
    const [, log, index] = this.#names
    this.#opened ??= { log: openSync(log, 'r'), index: openSync(index, 'r') }
    const inIndex = headerOf(this.#opened.index, INDEX_HEADER_BYTES)
    const pages = inIndex.getUint32(16, isLittleEndian)
    if (inIndex.getUint32(0, isLittleEndian) !== INDEX_FORMAT || pages === 0) return 0
    const inLog = headerOf(this.#opened.log, LOG_HEADER_BYTES)
    // A log that was emptied and then written to has no header, and so not the salt that the index knows.
    const isSame = inLog.getBigUint64(16) === inIndex.getBigUint64(32)
    if (!isSame || logBytes < LOG_HEADER_BYTES + pages * (inLog.getUint32(8) + FRAME_HEADER_BYTES))
      throw new FileFault(`Its log ${log} was cut short while the service runs`, { isDamage: true })
    return pages
  }
}

function headerOf(descriptor: number, bytes: number): DataView {
  const header = new DataView(new ArrayBuffer(bytes))
  readSync(descriptor, header, 0, bytes, 0)
  return header
}

export const bytesOf = (database: Database): number =>
  Number(
    database.query('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size').values()[0]?.[0],
  )
