import type { FileSink } from 'bun'

const FLUSH_AFTER_MS = 50
const CLOSE_MS = 1000
const FLUSH_AT = 256
/** A reader that stalls must not make the service grow; beyond this, lines are counted instead of kept. */
export const MAX_WAITING_LINES = 16_384

/** What several processes write into one pipe stays in one piece up to this size (POSIX: PIPE_BUF). */
export const PIECE_BYTES = 4096

/** A line, or what makes it. */
export type Line = string | (() => string)

/**
 * Gathers lines and writes many at once, without ever waiting for their reader. They are made then, too: made in a row
 * they cost a quarter of what each costs amid the work of a request.
 */
export class LineWriter {
  readonly #sink: FileSink
  readonly #droppedLine: (count: number) => Line
  readonly #pieceBytes: number
  #waiting: Line[] = []
  #dropped = 0
  #flushing: Promise<void> | undefined
  #timer: Timer | undefined

  /** `droppedLine` says how many lines were dropped. No more than `pieceBytes` are written at once. */
  constructor(
    file: Bun.BunFile,
    droppedLine: (count: number) => Line,
    pieceBytes = Number.POSITIVE_INFINITY,
  ) {
    this.#sink = file.writer()
    this.#droppedLine = droppedLine
    this.#pieceBytes = pieceBytes
  }

  write(line: Line): void {
    if (this.#waiting.length >= MAX_WAITING_LINES) {
      this.#dropped++
      return
    }
    this.#waiting.push(line)
    if (this.#waiting.length >= FLUSH_AT) this.#flush()
    else this.#flushSoon()
  }

  /** Writes out what is left, unless the reader is gone. */
  async close(): Promise<void> {
    const deadline = Bun.sleep(CLOSE_MS).then(() => 'late')
    while (this.#waiting.length > 0 || this.#flushing !== undefined) {
      this.#flush()
      if ((await Promise.race([this.#flushing, deadline])) === 'late') return
    }
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing ??= this.#writeOut().finally(() => {
      this.#flushing = undefined
      // What came while a slow reader held up the flush must not wait for the next line.
      if (this.#waiting.length > 0) this.#flushSoon()
    })
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS)
  }

  async #writeOut(): Promise<void> {
    const lines = this.#waiting
    this.#waiting = []
    try {
      for (const piece of piecesOf(lines.map(textOf), this.#pieceBytes)) {
        await this.#sink.write(piece)
        await this.#sink.flush()
      }
      if (this.#dropped > 0) {
        this.#waiting.push(this.#droppedLine(this.#dropped))
        this.#dropped = 0
      }
    } catch {
      // The reader of the log is gone. The service continues.
    }
  }
}

/** The lines put together, as many as fit into a piece; a longer one is a piece by itself. */
function piecesOf(lines: readonly string[], most: number): string[] {
  if (most === Number.POSITIVE_INFINITY) return [lines.join('')]
  const pieces: string[] = []
  let bytes = most
  for (const line of lines) {
    const size = Buffer.byteLength(line)
    bytes += size
    if (bytes <= most) pieces[pieces.length - 1] += line
    else {
      pieces.push(line)
      bytes = size
    }
  }
  return pieces
}

function textOf(line: Line): string {
  try {
    return `${typeof line === 'string' ? line : line()}\n`
  } catch (error) {
    // A line that cannot be rendered must not lose the others.
    return `${JSON.stringify({ level: 'error', event: 'log-line-failed', message: String(error) })}\n`
  }
}
