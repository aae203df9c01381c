import { closeSync, constants, openSync } from 'node:fs'

const LOOK_EVERY_MS = 1000
const JUST_NOW_MS = 5000

/** Distinguishes the SIGHUP of a closed terminal from one sent by a person or a script. */
export class Terminal {
  #lastSeenAt = -Infinity

  constructor() {
    if (this.#look()) setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  /** A terminal that closed without a SIGHUP to us, as when its shell ended with `exit`, does not explain a later one. */
  hasJustClosed(): boolean {
    return !this.#look() && performance.now() - this.#lastSeenAt < JUST_NOW_MS
  }

  #look(): boolean {
    const isThere = hasTerminal()
    if (isThere) this.#lastSeenAt = performance.now()
    return isThere
  }
}

/** Whether this process has a controlling terminal, regardless of where its output goes. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', constants.O_RDWR | constants.O_NOCTTY))
    return true
  } catch {
    return false
  }
}
