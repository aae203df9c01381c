import type { Database } from 'bun:sqlite'
import * as fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { InvalidInput, OperatorError } from '../../operator-error.ts'
import { FileFault } from './sqlite-errors.ts'

const ROOT = 0
/** What SQLite keeps beside the database: the log, its index, and the journal of a database that is not in WAL mode. */
const LOG = '-wal'
const LOG_INDEX = '-shm'
const ENDINGS = ['', LOG, LOG_INDEX, '-journal']

/** From sqlite.org/walformat.html. */
const INDEX_FORMAT = 3007000
const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** Undefined if there is nothing of that name. */
const statOf = (path: string): fs.Stats | undefined => fs.statSync(path, { throwIfNoEntry: false })

/** SQLite keeps its files beside the target of a link. What does not exist yet keeps its name. */
export function realPath(path: string): string {
  const absolute = resolve(path)
  if (statOf(absolute) !== undefined) return fs.realpathSync(absolute)
  const folder = dirname(absolute)
  if (fs.lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink())
    return realPath(resolve(folder, fs.readlinkSync(absolute)))
  return folder === absolute ? absolute : join(realPath(folder), basename(absolute))
}

export const logOf = (path: string): string => realPath(path) + LOG

export const logBytes = (path: string): number => statOf(logOf(path))?.size ?? 0

/** Whether a file is part of a database, or would become part of it when written. */
export const isPartOfDatabase = (path: string, file: string): boolean =>
  ENDINGS.some(ending => realPath(file) === realPath(path) + ending)

/** SQLite would wait for ever at a pipe. */
export function refuseOddPlace(path: string): void {
  refuseRootElsewhere(path)
  const real = realPath(path)
  const odd = ENDINGS.find(
    ending => fs.lstatSync(real + ending, { throwIfNoEntry: false })?.isFile() === false,
  )
  // A folder may have been named by mistake, and then it may hold the database.
  if (odd !== undefined)
    throw new OperatorError(
      `${real}${odd} is not a file. ${odd === '' ? 'Name the file of a database.' : 'Remove it.'}`,
    )
}

/** The owner of a folder decides what is in it and must be able to use it, so root leaves it alone. */
export function refuseRootElsewhere(path: string): void {
  if (process.geteuid?.() !== ROOT) return
  const folder = dirname(realPath(path))
  const owner = statOf(folder)?.uid
  if (owner === undefined) refuseRootElsewhere(folder)
  else if (owner !== ROOT)
    throw new InvalidInput(`The folder ${folder} belongs to user ${owner}. Run this as that user.`)
}

/** Identifies a file, whichever links lead to it. */
export const fileId = (path: string): string => idOf(statOf(path))

const idOf = (found: fs.Stats | undefined): string => (found ? `${found.dev}:${found.ino}` : 'none')

/** The size that the database should have; some of it may still be in the log. */
export const bytesOf = (database: Database): number =>
  Number(
    database.query('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size').values()[0]?.[0],
  )

/**
 * Whether the files of an open database are in place and whole. SQLite keeps writing to a file that was removed or replaced,
 * where nothing finds the data again.
 */
export class FileCheck {
  readonly #path: string
  readonly #database: Database
  readonly #names: readonly string[]
  /** The files that were opened, for another connection to compare. */
  readonly ids: readonly string[]
  #size: number
  readonly #log: Header
  readonly #index: Header

  /** Requires a connection that has already read something: only then are all of its files open. */
  constructor(path: string, database: Database, ids?: readonly string[]) {
    const real = realPath(path)
    this.#path = path
    this.#database = database
    this.#names = [path, real + LOG, real + LOG_INDEX]
    this.ids = ids ?? this.#names.map(fileId)
    this.#size = fs.statSync(path).size
    this.#log = new Header(real + LOG)
    this.#index = new Header(real + LOG_INDEX)
  }

  /** Returns the size of the log. */
  assertInPlace(): number {
    const sizes = this.#names.map((name, index) => {
      const found = statOf(name)
      if (found !== undefined && idOf(found) === this.ids[index]) return found.size
      throw new FileFault(
        `${name} was removed or replaced while the service runs. Put it back, or start the service again.`,
      )
    })
    const [size, logSize] = sizes as [number, number]
    // A database shrinks only when it is vacuumed, and then it also has fewer pages.
    if (size < this.#size && (size === 0 || size < bytesOf(this.#database)))
      throw new FileFault(
        `The database ${this.#path} was cut short while the service runs. Restore it from a backup and start the service again.`,
      )
    this.#size = size
    return logSize
  }

  /**
   * Whether the log also holds what its index says: SQLite would go on behind a gap, and a recovery would end there. Only for
   * who holds the write lock, so that nobody starts the log anew meanwhile. Returns the number of pages in it.
   */
  assertWhole(): number {
    const logSize = this.assertInPlace()
    const index = this.#index.read()
    const pages = index.getUint32(16, true)
    if (index.getUint32(0, true) !== INDEX_FORMAT || pages === 0) return 0
    const log = this.#log.read()
    // A log that was emptied and then written to has no header, and so not the salt that the index knows.
    const isSame = log.getBigUint64(16) === index.getBigUint64(32)
    if (!isSame || logSize < LOG_HEADER_BYTES + pages * (log.getUint32(8) + FRAME_HEADER_BYTES))
      throw new FileFault(`Its log ${this.#names[1]} was cut short while the service runs`, {
        isDamage: true,
      })
    return pages
  }
}

/** The first bytes of a file. It is never closed: that would release SQLite's locks on it. */
class Header {
  readonly #path: string
  readonly #bytes = new DataView(new ArrayBuffer(48))
  #descriptor: number | undefined

  constructor(path: string) {
    this.#path = path
  }

  read(): DataView {
    this.#descriptor ??= fs.openSync(this.#path, 'r')
    fs.readSync(this.#descriptor, this.#bytes, 0, this.#bytes.byteLength, 0)
    return this.#bytes
  }
}
