import type { Database } from 'bun:sqlite'
import * as fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { InvalidInput, OperatorError } from '../../operator-error.ts'
import { FileFault } from './sqlite-errors.ts'

const ROOT = 0
const LOG = '-wal'
const LOG_INDEX = '-shm'
/** The journal is that of a database that is not in WAL mode. */
const PARTS = ['', LOG, LOG_INDEX, '-journal']

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
  return folder === absolute ? absolute : join(realPath(folder), basename(absolute))
}

export const logOf = (path: string): string => realPath(path) + LOG

export const logBytes = (path: string): number => statOf(logOf(path))?.size ?? 0

/** Whether a file is part of a database, or would become part of it when written. */
export const isPartOfDatabase = (path: string, file: string): boolean =>
  PARTS.some(part => realPath(file) === realPath(path) + part)

/** SQLite would wait for ever at a pipe. */
export function refuseOddPlace(path: string): void {
  refuseRootElsewhere(path)
  const real = realPath(path)
  const odd = PARTS.find(part => fs.lstatSync(real + part, { throwIfNoEntry: false })?.isFile() === false)
  // A folder may have been named by mistake, and then it may hold the database.
  const advice = odd === '' ? 'Name the file of a database.' : 'Remove it.'
  if (odd !== undefined) throw new OperatorError(`${real}${odd} is not a file. ${advice}`)
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

/** Whether an open database is in place and whole: SQLite keeps writing to a file that was removed, where nothing finds it. */
export class FileCheck {
  readonly #path: string
  readonly #database: Database
  readonly names: readonly string[]
  /** The files that were opened, for another connection to compare. */
  readonly ids: readonly string[]
  #size: number

  /** Requires a connection that has already read something: only then are all of its files open. */
  constructor(path: string, database: Database, ids?: readonly string[]) {
    const real = realPath(path)
    this.#path = path
    this.#database = database
    this.names = [path, real + LOG, real + LOG_INDEX]
    this.ids = ids ?? this.names.map(fileId)
    this.#size = fs.statSync(path).size
  }

  /** Returns the size of the log. */
  assertInPlace(): number {
    const sizes = this.names.map((name, index) => {
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
}

/** Whether the log holds what its index says: SQLite would go on behind a gap, where a recovery would end. */
export class LogCheck {
  readonly #files: FileCheck
  readonly #log: number
  readonly #index: number

  /** Neither file is ever closed: that would release SQLite's locks on it. */
  constructor(files: FileCheck) {
    const [, log, index] = files.names as [string, string, string]
    this.#files = files
    this.#log = fs.openSync(log, 'r')
    this.#index = fs.openSync(index, 'r')
  }

  /** Only for who holds the write lock, so that nobody starts the log anew meanwhile. Returns the pages in it. */
  assertWhole(): number {
    const logSize = this.#files.assertInPlace()
    const index = beginningOf(this.#index)
    const pages = index.getUint32(16, true)
    if (index.getUint32(0, true) !== INDEX_FORMAT || pages === 0) return 0
    const log = beginningOf(this.#log)
    // A log that was emptied and then written to has no header, and so not the salt that the index knows.
    const isSame = log.getBigUint64(16) === index.getBigUint64(32)
    if (isSame && logSize >= LOG_HEADER_BYTES + pages * (log.getUint32(8) + FRAME_HEADER_BYTES)) return pages
    const message = `Its log ${this.#files.names[1]} was cut short while the service runs`
    throw new FileFault(message, { isDamage: true })
  }
}

function beginningOf(descriptor: number): DataView {
  const bytes = new DataView(new ArrayBuffer(48))
  fs.readSync(descriptor, bytes, 0, bytes.byteLength, 0)
  return bytes
}
