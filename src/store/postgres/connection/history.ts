/** A connection as far as its history is concerned: what it told when it was last asked, and in which one that was. */
interface Known {
  readonly identity: string
  readonly provenIn: number
}

/** A connection that leads to another server, or another run of it, than the one that was met last. */
export class Elsewhere extends Error {
  override readonly name = 'Elsewhere'
}

/**
 * Which past the database has. One that was killed, promoted or put back may have come back without its last commits, so
 * what was kept of it counts only while the number stays the same. Shared by all connections of a process.
 */
export class History {
  /** Kept answers belong to the number under which they were read. */
  number = 0
  #identity: string | undefined
  readonly #known = new WeakMap<object, Known>()

  /** A connection broke, or nothing was heard in time: whatever comes next may be another past. */
  doubt(): void {
    this.number++
  }

  /** Whether a connection has proven itself since the last doubt. */
  isProven(connection: object): boolean {
    return this.#known.get(connection)?.provenIn === this.number
  }

  /** Takes note of what a connection told. A new one leads where the database is now; an old one may have been left behind. */
  confirm(connection: object, identity: string): void {
    const before = this.#known.get(connection)?.identity
    if (identity !== this.#identity) {
      if (identity === before)
        throw new Elsewhere('This connection leads to a server that is not in use any more')
      this.#identity = identity
      this.number++
    }
    this.#known.set(connection, { identity, provenIn: this.number })
  }
}
