import { unavailable } from '../../unavailable.ts'
import { FileFault, fileCannotAnswer, isDamage } from './failures.ts'
import type { FileIdentity } from './identity.ts'

/** Whether the database is intact and still the one that was opened. Damage is remembered: SQLite may not find it again. */
export class Condition {
  readonly #files: FileIdentity
  damage: FileFault | undefined

  constructor(files: FileIdentity) {
    this.#files = files
  }

  /** Runs a read; throws `unavailable` if the storage failed. */
  reading<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      this.note(error)
      throw fileCannotAnswer(error) ? unavailable(error) : error
    }
  }

  /** Remembers what an error says about the file. */
  note(error: unknown): void {
    if (isDamage(error)) this.noteDamage(error.message)
  }

  noteDamage(message: string): void {
    this.damage ??= new FileFault(
      `The database ${this.#files.path} is damaged (${message}). Restore it from a backup and start the service again.`,
    )
  }

  assertSound(): void {
    if (this.damage !== undefined) throw this.damage
    this.#files.assertInPlace()
  }
}
