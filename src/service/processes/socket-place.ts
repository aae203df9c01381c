import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf, OperatorError } from '../../operator-error.ts'

/** The system's limit for a socket name, less the release that is appended to it. */
const MAX_BYTES = 90

/** A socket name in a folder that only this user may enter. Disposing of it removes the folder. */
export class SocketPlace {
  readonly path: string
  readonly #folder: string

  constructor() {
    const parent = tmpdir()
    try {
      this.#folder = mkdtempSync(join(parent, 'petstore-'))
    } catch (cause) {
      throw refusal(
        `a folder in ${parent}, which cannot be made (${messageOf(cause)})`,
        'that can be written to',
        cause,
      )
    }
    this.path = join(this.#folder, 'writer')
    if (Buffer.byteLength(this.path) <= MAX_BYTES) return
    this[Symbol.dispose]()
    throw refusal(`a socket in ${parent}, whose name is too long`, 'with a shorter name')
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const refusal = (what: string, which: string, cause?: unknown): OperatorError =>
  new OperatorError(
    `Several processes on one SQLite database need ${what}. Set TMPDIR to a folder ${which}, or PETSTORE_PROCESSES to 1.`,
    { cause },
  )
