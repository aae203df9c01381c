import { withCommas } from '../../text/amounts.ts'
import { canRedraw } from './abilities.ts'

const BAR_WIDTH = 24
const REDRAW_MS = 100
const LINE_EVERY_MS = 5000
const MIN_ELAPSED_S = 0.5

/** Where progress is shown: standard error, so that a pipe gets nothing but data. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** A bar that redraws itself in a terminal; elsewhere a plain line now and then, and nothing for what is quickly done. */
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

  /** `total` is undefined where it is not known, as with a pipe. */
  constructor(label: string, unit: string, total: number | undefined, screen: Screen = process.stderr) {
    this.#label = label
    this.#unit = unit
    this.#total = total
    this.#screen = screen
    this.#redraws = canRedraw(screen)
    this.#shownAt = this.#redraws ? Number.NEGATIVE_INFINITY : this.#started
  }

  /** `counted` is what people read where it is not what the total measures: animals, while the bar goes by bytes. */
  advance(amount: number, counted?: number): void {
    this.#done += amount
    if (counted !== undefined) this.#counted = (this.#counted ?? 0) + counted
    const now = performance.now()
    if (now - this.#shownAt < (this.#redraws ? REDRAW_MS : LINE_EVERY_MS)) return
    this.#shownAt = now
    this.#show()
  }

  /** Says something without tearing the bar apart. */
  note(text: string): void {
    this.#screen.write(this.#redraws ? `\r${text}\x1b[K\n` : `${text}\n`)
  }

  /** Leaves the last state on a line of its own, so that what follows does not overwrite it. */
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
