import type { Event, Observe } from './events.ts'
import type { LineWriter } from './line-writer.ts'
import { readableLine } from './readable.ts'

export type Level = 'info' | 'warn' | 'error'

export const LEVELS: { readonly [kind in Event['kind']]: Level } = {
  request: 'info',
  'request-failed': 'error',
  listening: 'info',
  'no-api-key': 'warn',
  'background-task-failed': 'error',
  draining: 'info',
  stopped: 'info',
}

/** JSON lines for machines, readable ones for a terminal. */
export function logger(writer: LineWriter, format: 'json' | 'readable'): Observe {
  return format === 'json'
    ? event => writer.write(jsonLine(event, new Date()))
    : event => writer.write(readableLine(event, LEVELS[event.kind], new Date()))
}

function jsonLine(event: Event, time: Date): string {
  if (event.kind === 'request') return requestLine(event, time)
  const { kind, ...fields } = event
  const entry = { time: time.toISOString(), level: LEVELS[kind], event: kind, ...fields }
  return JSON.stringify(entry, (_name, value) => (value instanceof Error ? describeError(value) : value))
}

/** Written out because it runs for every request; method, route, ids and numbers hold nothing that JSON would escape. */
const requestLine = (event: Extract<Event, { kind: 'request' }>, time: Date): string =>
  `{"time":"${time.toISOString()}","level":"info","event":"request","method":"${event.method}","route":"${event.route}",` +
  `"status":${event.status},"durationMs":${event.durationMs.toFixed(3)},"requestId":"${event.requestId}"` +
  `${event.keyId === undefined ? '' : `,"keyId":"${event.keyId}"`}}`

/** The chain of causes with its stacks, for whoever has to find the fault. */
export function describeError(error: Error): { message: string; stack?: string; cause?: unknown } {
  return {
    message: error.message,
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && {
      cause: error.cause instanceof Error ? describeError(error.cause) : error.cause,
    }),
  }
}
