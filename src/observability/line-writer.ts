import type { FileSink } from 'bun'

const FLUSH_AFTER_MS = 50
const CLOSE_MS = 1000
const FLUSH_ABOVE = 64 * 1024
/** A reader that stalls must not make the service grow; beyond this, lines are counted instead of kept. */
const MAX_BUFFERED = 4 * 1024 * 1024

/** Gathers lines and writes many at once, without ever waiting for whoever reads them. */
export class LineWriter {
  readonly #sink: FileSink
  #buffered = ''
  #dropped = 0
  #flushing: Promise<void> | undefined
  #timer: Timer | undefined

  constructor(file: Bun.BunFile) {
    this.#sink = file.writer()
  }

  write(line: string): void {
    if (this.#buffered.length > MAX_BUFFERED) {
      this.#dropped++
      return
    }
    this.#buffered += `${line}\n`
    if (this.#buffered.length > FLUSH_ABOVE) this.#flush()
    else this.#flushSoon()
  }

  /** Writes out what is left, unless nobody reads it any more. */
  async close(): Promise<void> {
    const deadline = Bun.sleep(CLOSE_MS).then(() => 'late')
    while (this.#buffered !== '' || this.#flushing !== undefined) {
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
      if (this.#buffered !== '') this.#flushSoon()
    })
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS)
  }

  async #writeOut(): Promise<void> {
    const text = this.#buffered
    this.#buffered = ''
    try {
      await this.#sink.write(text)
      await this.#sink.flush()
      if (this.#dropped > 0) {
        this.#buffered += `{"level":"warn","event":"log-lines-dropped","count":${this.#dropped}}\n`
        this.#dropped = 0
      }
    } catch {
      // Nobody reads the log any more. The service goes on.
    }
  }
}
