import type { FileSink } from 'bun'
import { FLUSH_MS } from '../deadlines.ts'
import { type Event, type Level, LOG_LEVELS, levelOf, type RequestEvent } from './events.ts'

/** Above this, lines are dropped and counted, so that a stalled reader does not fill the memory. */
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024

export interface LineOptions {
  readonly format: 'json' | 'readable'
  /** Less urgent events are left out. */
  readonly level: Level
}

type Render = (event: Event, at: number) => string | undefined

/** Renders an event as a line: JSON for machines, `key=value` for a terminal; undefined if it is left out. */
export function lineRenderer({ format, level }: LineOptions): Render {
  const levels = new Set(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)))
  return (event, at) => {
    const of = levelOf(event)
    if (!levels.has(of)) return undefined
    try {
      return format === 'readable'
        ? readableLine(event, of, new Date(at))
        : jsonLine(event, of, timestamp(at))
    } catch (error) {
      // An event that cannot be rendered must not lose the others.
      return JSON.stringify({ level: 'error', event: 'log-line-failed', message: String(error) })
    }
  }
}

/** Writes lines, and never waits for the reader. */
export class Log {
  readonly options: LineOptions
  readonly #sink: FileSink
  readonly #render: Render
  #texts: string[] = []
  #waiting = 0
  #dropped = 0
  /** Ends a line of which a failed write may have left the first part. */
  #start = ''
  #writing: Promise<void> | undefined

  constructor(file: Bun.BunFile, options: LineOptions) {
    this.options = options
    this.#sink = file.writer()
    this.#render = lineRenderer(options)
  }

  add(event: Event): void {
    const line = this.#render(event, Date.now())
    if (line !== undefined) this.print(line)
  }

  /** Writes one or more lines. */
  print(text: string): void {
    if (this.#waiting + text.length > MAX_WAITING_CHARACTERS) this.#dropped += text.split('\n').length
    else {
      this.#texts.push(text)
      this.#waiting += text.length
    }
    this.#flush()
  }

  #flush(): void {
    if (this.#texts.length === 0) return
    // Lines that arrived while a slow reader held up the writing follow immediately.
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
      this.#flush()
    })
  }

  /** Writes the remaining lines, unless the reader is gone. */
  async close(): Promise<void> {
    const deadline = Bun.sleep(FLUSH_MS).then(() => 'late')
    while (this.#writing !== undefined) if ((await Promise.race([this.#writing, deadline])) === 'late') return
  }

  async #write(): Promise<void> {
    const [text, count, start] = [this.#texts.join('\n'), this.#dropped, this.#start]
    const report = count > 0 ? this.#render({ kind: 'log-lines-dropped', count }, Date.now()) : undefined
    this.#texts = []
    this.#waiting = 0
    this.#dropped = 0
    this.#start = ''
    try {
      await this.#sink.write(`${start}${text}\n${report ? `${report}\n` : ''}`)
      await this.#sink.flush()
    } catch {
      // The log's disk is full, or its reader is gone. The next line tells the loss, which may include lines that were written.
      this.#dropped += count + text.split('\n').length
      this.#start = '\n'
    }
  }
}

let lastTime = { at: Number.NaN, text: '' }

/** All lines of one millisecond share a string. */
function timestamp(at: number): string {
  if (at !== lastTime.at) lastTime = { at, text: new Date(at).toISOString() }
  return lastTime.text
}

export function jsonLine(event: Event, level: Level, time: string): string {
  if (event.kind === 'request') return requestLine(event, level, time)
  const { kind, ...fields } = event
  return JSON.stringify({ time, level, event: kind, ...fields }, withPlainErrors)
}

/** For JSON.stringify: errors with their codes and causes as plain data. */
function withPlainErrors(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const { message, stack, cause } = value
  return { message, code: ('code' in value && value.code) || undefined, stack, cause }
}

/** Built by hand because it runs for every request. None of these values contains anything that JSON would escape. */
function requestLine(event: RequestEvent, level: Level, time: string): string {
  const { method, route, status, durationMs, requestId, keyId, authFailure } = event
  const caller = keyId === undefined ? '' : `,"keyId":"${keyId}"`
  const failure = authFailure === undefined ? '' : `,"authFailure":"${authFailure}"`
  return (
    `{"time":"${time}","level":"${level}","event":"request","method":"${method}","route":"${route}",` +
    `"status":${status},"durationMs":${Math.round(durationMs * 1000) / 1000},"requestId":"${requestId}"${caller}${failure}}`
  )
}

/** One line for a person at a terminal: `12:34:56 info  request method=GET route=/v1/pets status=200`. */
export function readableLine(event: Event, level: Level, time: Date): string {
  const { kind, ...fields } = event
  const pairs = Object.entries(fields).map(([name, value]) =>
    value === undefined ? '' : ` ${name}=${valueText(value)}`,
  )
  return `${time.toTimeString().slice(0, 8)} ${level.padEnd(5)} ${printable(kind + pairs.join(''))}`
}

function valueText(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000)
  const text = reasonOf(value)
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text
}

/** The message of an error and of its causes, without their stacks. */
export function reasonOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('message' in value)) return String(value)
  const cause = 'cause' in value ? value.cause : undefined
  return cause === undefined ? String(value.message) : `${value.message} (${reasonOf(cause)})`
}

/** Escapes invisible characters of untrusted text, which could forge a line, turn the text around or control the terminal. */
export const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    character => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
