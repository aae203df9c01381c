import type { Database } from 'bun:sqlite'
import { realpathSync, type Stats, statSync } from 'node:fs'
import { singleValue } from './database.ts'
import { FileFault } from './failures.ts'

type Identity = Pick<Stats, 'dev' | 'ino' | 'size'>

/**
 * The files behind a connection: the database, its log and the log's index. SQLite keeps writing to a file that was
 * removed or replaced, where nothing finds the data again. Checks names only and never opens the database: closing it
 * would release SQLite's locks.
 */
export class FileIdentity {
  readonly path: string
  readonly #database: Database
  readonly #files: readonly (Identity & { readonly path: string })[]
  #size: number

  /** Requires a connection that has already read something: only then are all of its files open. */
  constructor(path: string, database: Database) {
    this.path = path
    this.#database = database
    // SQLite keeps the log beside the link's target.
    const real = realpathSync(path)
    this.#files = [path, `${real}-wal`, `${real}-shm`].map(name => ({ path: name, ...identity(name) }))
    this.#size = identity(path).size
  }

  assertInPlace(): void {
    for (const { path, dev, ino } of this.#files) {
      const found = identity(path)
      if (found.dev !== dev || found.ino !== ino) throw isReplaced(path)
      if (path === this.path) this.#assertWhole(found.size)
    }
  }

  /** A database shrinks only when it is vacuumed, and then it also has fewer pages. */
  #assertWhole(size: number): void {
    if (size < this.#size && (size === 0 || size < this.#expectedSize()))
      throw new FileFault(
        `The database ${this.path} was cut short while the service runs. Restore it from a backup and start the service again.`,
      )
    this.#size = size
  }

  #expectedSize(): number {
    const [pages, pageSize] = ['page_count', 'page_size'].map(name =>
      Number(singleValue(this.#database, `PRAGMA ${name}`)),
    ) as [number, number]
    return pages * pageSize
  }
}

export const isReplaced = (path: string): FileFault =>
  new FileFault(
    `${path} was removed or replaced while the service runs. Put it back, or start the service again.`,
  )

function identity(path: string): Identity {
  const { dev, ino, size } = statSync(path, { throwIfNoEntry: false }) ?? { dev: 0, ino: 0, size: 0 }
  return { dev, ino, size }
}
