/** What a connection last reported about its server, and the history number at that time. */
interface Known {
  readonly identity: string
  readonly provenIn: number
}

/** The connection leads to a different server, or a different run of it, than the one last seen. */
export class Elsewhere extends Error {
  override readonly name = 'Elsewhere'
}

/**
 * Identifies the database's history. A server that was killed, promoted or restored may have lost its last commits, so
 * cached answers are valid only while the number is unchanged. All connections of a process share it.
 */
export class History {
  /** Cached answers belong to the number under which they were read. */
  number = 0
  #identity: string | undefined
  readonly #known = new WeakMap<object, Known>()

  /** A connection broke or timed out: the next answer may come from another history. */
  doubt(): void {
    this.number++
  }

  /** Whether a connection has proven itself since the last doubt. */
  isProven(connection: object): boolean {
    return this.#known.get(connection)?.provenIn === this.number
  }

  /** Records what a connection reported. A new one leads to the current server; an old one may lead to a former one. */
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
