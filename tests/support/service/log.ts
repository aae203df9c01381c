import { closeSync, mkdtempSync, openSync, readSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './process.ts'

export interface LogLine {
  readonly event: string
  readonly [field: string]: unknown
}

/**
 * The output of a process: pass `file` as its standard output or error. A file, because the runtime sometimes stops reading the
 * pipe of a process while connections open and close.
 */
export class Output {
  readonly path: string
  readonly #decoder = new TextDecoder()
  #text = ''
  #read = 0

  constructor(path = join(mkdtempSync(join(tmpdir(), 'petstore-output-')), 'output')) {
    this.path = path
    closeSync(openSync(path, 'a'))
  }

  get file(): Bun.BunFile {
    return Bun.file(this.path)
  }

  /** Everything printed so far. */
  get text(): string {
    const file = openSync(this.path, 'r')
    const chunk = Buffer.alloc(65_536)
    try {
      for (let count = 1; count > 0; ) {
        count = readSync(file, chunk, 0, chunk.length, this.#read)
        this.#read += count
        this.#text += this.#decoder.decode(chunk.subarray(0, count), { stream: true })
      }
    } finally {
      closeSync(file)
    }
    return this.#text
  }

  /** The complete lines so far. */
  get lines(): string[] {
    return this.text.split('\n').slice(0, -1)
  }

  get log(): LogLine[] {
    return this.lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line) as LogLine)
  }

  /** Waits for a log entry. The log is written in batches, so an entry may come shortly after the answer. */
  entry(matches: (line: LogLine) => boolean): Promise<LogLine> {
    return eventually('a log entry', () => this.log.find(matches))
  }
}
