import type { Event, Observe } from './events.ts'
import { EVENT_LEVELS, isLogged, type Level } from './levels.ts'
import { type Line, LineWriter, PIECE_BYTES } from './line-writer.ts'
import { readableLine } from './readable.ts'

type RequestEvent = Extract<Event, { kind: 'request' }>

interface LogOptions {
  readonly format: 'json' | 'readable'
  /** What is less urgent is left out. */
  readonly level: Level
  /** Whether readable lines are coloured. */
  readonly hasColour: boolean
  /** Whether other processes write into the same file. */
  readonly isShared: boolean
}

export interface Log {
  readonly observe: Observe
  readonly writer: LineWriter
}

/** JSON lines for machines, readable ones for a terminal. */
export function openLog(file: Bun.BunFile, { format, level: least, hasColour, isShared }: LogOptions): Log {
  const timestamp = clock()
  const text =
    format === 'json'
      ? (event: Event, at: number) => jsonLine(event, timestamp(at))
      : (event: Event, at: number, level: Level) => {
          const line = readableLine(event, level, new Date(at))
          return hasColour ? line : Bun.stripANSI(line)
        }
  const line = (event: Event, level: Level): Line => {
    const at = Date.now()
    return () => text(event, at, level)
  }
  const droppedLine = (count: number): Line => line({ kind: 'log-lines-dropped', count }, 'warn')
  const writer = new LineWriter(file, droppedLine, isShared ? PIECE_BYTES : undefined)
  const observe: Observe = event => {
    const level = EVENT_LEVELS[event.kind]
    if (isLogged(level, least)) writer.write(line(event, level))
  }
  return { observe, writer }
}

function jsonLine(event: Event, time: string): string {
  if (event.kind === 'request') return requestLine(event, time)
  const { kind, ...fields } = event
  const entry = { time, level: EVENT_LEVELS[kind], event: kind, ...fields }
  return JSON.stringify(entry, (_name, value) => (value instanceof Error ? describeError(value) : value))
}

/** Who was refused has no key. */
const refusalField = ({ refusal }: RequestEvent): string =>
  refusal === undefined ? '' : `,"refusal":"${refusal}"`

/** Written out because it runs for every request; method, route, ids and numbers hold nothing that JSON would escape. */
const requestLine = (event: RequestEvent, time: string): string =>
  `{"time":"${time}","level":"info","event":"request","method":"${event.method}","route":"${event.route}",` +
  `"status":${event.status},"durationMs":${Math.round(event.durationMs * 1000) / 1000},"requestId":"${event.requestId}"` +
  `${event.keyId === undefined ? refusalField(event) : `,"keyId":"${event.keyId}"`}}`

/** The same text serves all lines of a millisecond. */
function clock(): (at: number) => string {
  let time = 0
  let text = ''
  return at => {
    if (at !== time) text = new Date(at).toISOString()
    time = at
    return text
  }
}

/** The chain of causes with its stacks, to find the fault. */
function describeError(error: Error): { message: string; stack?: string; cause?: unknown } {
  return {
    message: error.message,
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && {
      cause: error.cause instanceof Error ? describeError(error.cause) : error.cause,
    }),
  }
}
