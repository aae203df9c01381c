import type { FileSink } from 'bun'
import { type Event, type Level, LOG_LEVELS, levelOf, type RequestEvent } from './events.ts'

const CLOSE_MS = 1000
/** A reader that stalls must not make the service grow; beyond this, lines are counted instead of kept. */
const MAX_WAITING_LINES = 16_384
/** What several processes write into one pipe stays in one piece up to this size (POSIX: PIPE_BUF). */
const PIPE_BUF_BYTES = 4096
/** A line for a person, however long the reason is that a driver gives; the JSON form of the log holds all of it. */
const MAX_READABLE_LENGTH = 4096

export const LOG_FORMATS = ['auto', 'json', 'readable'] as const

interface LogOptions {
  readonly format: 'json' | 'readable'
  /** What is less urgent is left out. */
  readonly level: Level
  /** Whether readable lines are coloured. */
  readonly hasColour: boolean
  /** Whether other processes write into the same file. */
  readonly isShared: boolean
}

/** Writes events as lines: JSON for machines, `key=value` for a terminal. It never waits for the reader. */
export class Log {
  readonly #sink: FileSink
  readonly #render: (event: Event, at: number, level: Level) => string
  readonly #levels: ReadonlySet<Level>
  readonly #isShared: boolean
  #lines: string[] = []
  #dropped = 0
  #writing: Promise<void> | undefined

  constructor(file: Bun.BunFile, { format, level, hasColour, isShared }: LogOptions) {
    this.#sink = file.writer()
    this.#levels = new Set(LOG_LEVELS.slice(LOG_LEVELS.indexOf(level)))
    this.#isShared = isShared
    this.#render =
      format === 'readable'
        ? (event, at, of) => readableLine(event, of, new Date(at), hasColour)
        : (event, at, of) => jsonLine(event, of, timestamp(at))
  }

  /** Adds a line, which `flush` writes. */
  readonly add = (event: Event, at: number): void => {
    const level = levelOf(event)
    if (!this.#levels.has(level)) return
    try {
      this.#push(this.#render(event, at, level))
    } catch (error) {
      // An event that cannot be rendered must not lose the others.
      this.#push(JSON.stringify({ level: 'error', event: 'log-line-failed', message: String(error) }))
    }
  }

  /** A text that is no event. */
  print(text: string): void {
    this.#push(text)
    this.flush()
  }

  readonly flush = (): void => {
    if (this.#lines.length === 0) return
    // What came while a slow reader held up the writing follows at once.
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
      this.flush()
    })
  }

  /** Writes out what is left, unless the reader is gone. */
  async close(): Promise<void> {
    const deadline = Bun.sleep(CLOSE_MS).then(() => 'late')
    for (this.flush(); this.#writing !== undefined; this.flush())
      if ((await Promise.race([this.#writing, deadline])) === 'late') return
  }

  #push(line: string): void {
    if (this.#lines.length >= MAX_WAITING_LINES) this.#dropped++
    else this.#lines.push(line)
  }

  async #write(): Promise<void> {
    const lines = this.#lines
    this.#lines = []
    try {
      for (const piece of this.#isShared ? piecesOf(lines) : [`${lines.join('\n')}\n`]) {
        await this.#sink.write(piece)
        await this.#sink.flush()
      }
    } catch {
      // The reader of the log is gone. The service continues.
    }
    const count = this.#dropped
    this.#dropped = 0
    if (count > 0) this.add({ kind: 'log-lines-dropped', count }, Date.now())
  }
}

/** The lines put together, as many as fit into a piece; a longer one is a piece by itself. */
function piecesOf(lines: readonly string[]): string[] {
  const pieces: string[] = []
  let bytes = PIPE_BUF_BYTES
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1
    bytes += size
    if (bytes <= PIPE_BUF_BYTES) pieces[pieces.length - 1] += `${line}\n`
    else {
      pieces.push(`${line}\n`)
      bytes = size
    }
  }
  return pieces
}

let lastTime = { at: Number.NaN, text: '' }

/** The same text serves all lines of a millisecond. */
function timestamp(at: number): string {
  if (at !== lastTime.at) lastTime = { at, text: new Date(at).toISOString() }
  return lastTime.text
}

export function jsonLine(event: Event, level: Level, time: string): string {
  if (event.kind === 'request') return requestLine(event, level, time)
  const { kind, ...fields } = event
  return JSON.stringify({ time, level, event: kind, ...fields }, (_name, value) =>
    value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value,
  )
}

/** Written out because it runs for every request; method, route, ids and numbers hold nothing that JSON would escape. */
function requestLine(event: RequestEvent, level: Level, time: string): string {
  const { method, route, status, durationMs, requestId, keyId, authFailure } = event
  const caller = keyId === undefined ? '' : `,"keyId":"${keyId}"`
  const failure = authFailure === undefined ? '' : `,"authFailure":"${authFailure}"`
  return (
    `{"time":"${time}","level":"${level}","event":"request","method":"${method}","route":"${route}",` +
    `"status":${status},"durationMs":${Math.round(durationMs * 1000) / 1000},"requestId":"${requestId}"${caller}${failure}}`
  )
}

const COLOURS = { debug: 36, info: 32, warn: 33, error: 31 } as const
const DIM = 2

/** One line for a person at a terminal: `12:34:56 info  request method=GET route=/v1/pets status=200`. */
export function readableLine(event: Event, level: Level, time: Date, hasColour: boolean): string {
  const { kind, ...fields } = event
  const pairs = Object.entries(fields).map(([name, value]) =>
    value === undefined ? '' : ` ${name}=${valueText(value)}`,
  )
  const paint = (colour: number, text: string): string =>
    hasColour ? `\u001b[${colour}m${text}\u001b[0m` : text
  const clock = time.toTimeString().slice(0, 8)
  return `${paint(DIM, clock)} ${paint(COLOURS[level], level.padEnd(5))} ${visible(kind + pairs.join(''))}`
}

function valueText(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000)
  const text = value instanceof Error ? reasonOf(value) : String(value)
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text
}

const reasonOf = ({ message, cause }: Error): string =>
  cause === undefined ? message : `${message} (${cause instanceof Error ? reasonOf(cause) : cause})`

/** Control characters could forge a line or drive the terminal, so they are shown, not obeyed. */
const visible = (text: string): string =>
  (text.length > MAX_READABLE_LENGTH ? `${text.slice(0, MAX_READABLE_LENGTH)}…` : text).replace(
    /[\p{Cc}\u2028\u2029]/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
