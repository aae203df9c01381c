import { withCommas } from '../../text/amounts.ts'
import { canRedraw } from './abilities.ts'

const BAR_WIDTH = 24
const REDRAW_MS = 100
const LINE_EVERY_MS = 5000
const MIN_ELAPSED_S = 0.5

/** Progress goes to standard error, so that a pipe gets only data. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** A bar that redraws itself in a terminal; elsewhere an occasional plain line, and nothing for short work. */
export class Progress {
  readonly #label: string
  readonly #unit: string
  readonly #total: number | undefined
  readonly #screen: Screen
  readonly #redraws: boolean
  readonly #started = performance.now()
  #shownAt: number
  #done = 0
  #counted: number | undefined

  /** `total` is undefined if it is unknown, as with a pipe. */
  constructor(label: string, unit: string, total: number | undefined, screen: Screen = process.stderr) {
    this.#label = label
    this.#unit = unit
    this.#total = total
    this.#screen = screen
    this.#redraws = canRedraw(screen)
    this.#shownAt = this.#redraws ? Number.NEGATIVE_INFINITY : this.#started
  }

  /** `counted` is the number shown if it differs from what the total measures: animals, while the bar counts bytes. */
  advance(amount: number, counted?: number): void {
    this.#done += amount
    if (counted !== undefined) this.#counted = (this.#counted ?? 0) + counted
    const now = performance.now()
    if (now - this.#shownAt < (this.#redraws ? REDRAW_MS : LINE_EVERY_MS)) return
    this.#shownAt = now
    this.#show()
  }

  /** Prints a message without breaking the bar. */
  note(text: string): void {
    this.#screen.write(this.#redraws ? `\r${text}\x1b[K\n` : `${text}\n`)
  }

  /** Ends the line, so that later output does not overwrite the last state. */
  end(): void {
    if (!this.#redraws) return
    this.#show()
    this.#screen.write('\n')
  }

  #show(): void {
    const line = this.#line((performance.now() - this.#started) / 1000)
    if (!this.#redraws) this.#screen.write(`${line}\n`)
    else this.#screen.write(`\r${line.slice(0, (this.#screen.columns || 80) - 1)}\x1b[K`)
  }

  #line(seconds: number): string {
    const counted = this.#counted ?? this.#done
    const parts = [this.#label]
    const share =
      this.#total === undefined ? undefined : this.#total === 0 ? 1 : Math.min(1, this.#done / this.#total)
    if (share !== undefined) parts.push(`${bar(share)} ${String(Math.floor(share * 100)).padStart(3)} %`)
    parts.push(`${withCommas(counted)} ${this.#unit}`)
    if (seconds >= MIN_ELAPSED_S) parts.push(`${withCommas(Math.round(counted / seconds))}/s`)
    if (share !== undefined && share > 0 && share < 1 && seconds >= MIN_ELAPSED_S)
      parts.push(`${Math.ceil((seconds * (1 - share)) / share)} s left`)
    return parts.join('  ')
  }
}

function bar(share: number): string {
  const full = Math.round(share * BAR_WIDTH)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`
}
