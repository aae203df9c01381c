import type { Event } from './events.ts'

const COLOURS = { debug: 36, info: 32, warn: 33, error: 31 } as const
const DIM = 2

/** One line for a person at a terminal. */
export function readableLine(event: Event, level: keyof typeof COLOURS, time: Date): string {
  const clock = paint(DIM, time.toTimeString().slice(0, 8))
  return `${clock} ${paint(COLOURS[level], level.padEnd(5))} ${visible(sentence(event))}`
}

function sentence(event: Event): string {
  switch (event.kind) {
    case 'request':
      return `${event.method} ${event.route} ${event.status} ${event.durationMs.toFixed(1)} ms  ${event.requestId} ${event.keyId ?? event.refusal ?? ''}`
    case 'request-failed':
      return `request ${event.requestId} failed with ${event.code}: ${reason(event.cause)}`
    case 'listening':
      return `${event.environment} is listening on ${event.url}${event.processes ? ` with ${event.processes} processes` : ''}, animals in ${event.database}`
    case 'process-ended':
      return `process ${event.pid} ended (${event.reason}); another is started in ${event.restartInMs} ms`
    case 'reloading':
      return 'SIGHUP: replacing one process after the other'
    case 'reloaded':
      return `${event.processes} processes were replaced`
    case 'separate-rate-limits':
      return `each of the ${event.processes} processes counts requests by itself: a key with several connections may make up to ${event.processes} times as many as PETSTORE_RATE_LIMIT says`
    case 'metrics-listening':
      return `metrics for Prometheus at ${event.url}`
    case 'batch-stored':
      return `stored ${event.size} in ${event.durationMs.toFixed(1)} ms`
    case 'spans-dropped':
      return `${counted(event.count, 'span')} ${event.count === 1 ? 'was' : 'were'} not sent to the collector`
    case 'log-lines-dropped':
      return `${counted(event.count, 'line')} of this log ${event.count === 1 ? 'was' : 'were'} dropped: the reader of the log did not keep up`
    case 'no-api-key':
      return event.hint
    case 'backup-made':
      return `backed up ${counted(event.animals, 'animal')} to ${event.file} in ${event.durationMs.toFixed(0)} ms`
    case 'background-task-failed':
      return `${event.task} failed: ${reason(event.cause)}`
    case 'out-of-descriptors':
      return 'out of file descriptors: new connections wait until others end (see ulimit -n)'
    case 'storage-stalled':
      return 'the storage does not respond: requests that need it are refused, and the service is not ready'
    case 'storage-recovered':
      return `the storage responds again, after ${Math.round(event.afterMs)} ms`
    case 'database-refused':
      return `the database on ${event.host} is not used: ${event.reason}`
    case 'replica-unused':
      return `no pages are read on ${event.host} for now: ${event.reason}`
    case 'certificate-replaced':
      return `serving a new certificate, valid until ${event.expires}`
    case 'draining':
      return `${event.signal}: finishing requests in progress`
    case 'stopped':
      return event.unanswered === 0
        ? 'stopped'
        : `stopped with ${counted(event.unanswered, 'request')} unanswered`
    case 'stopped-by-force':
      return `ended after ${event.afterMs} ms without closing everything: something does not respond`
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause === undefined ? cause.message : `${cause.message} (${reason(cause.cause)})`
}

const paint = (colour: number, text: string): string => `\u001b[${colour}m${text}\u001b[0m`

/** A line for a person, however long the reason is that a driver gives; the JSON form of the log holds all of it. */
const MAX_LENGTH = 4096

/** Control characters could forge a line or drive the terminal, so they are shown, not obeyed. */
const visible = (text: string): string =>
  (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text).replace(
    /[\p{Cc}\u2028\u2029]/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
