import { eventually } from './process.ts'

export interface LogLine {
  readonly event: string
  readonly [field: string]: unknown
}

/** What a process prints, as it comes. */
export class Output {
  text = ''
  readonly ended: Promise<void>

  constructor(stream: ReadableStream<Uint8Array>) {
    this.ended = this.#read(stream)
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of stream) this.text += decoder.decode(chunk, { stream: true })
  }

  /** The complete lines so far. */
  get lines(): string[] {
    return this.text.split('\n').slice(0, -1)
  }

  /** The lines that are log entries. */
  get log(): LogLine[] {
    return this.lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line) as LogLine)
  }

  /** Waits for a log entry; the log is written in batches, so it may come a moment after the answer. */
  entry(matches: (line: LogLine) => boolean): Promise<LogLine> {
    return eventually('a log entry', () => this.log.find(matches))
  }
}
