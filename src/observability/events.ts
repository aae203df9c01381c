/** Why a request was not authenticated. */
export const AUTH_FAILURES = [
  'missing',
  'malformed',
  'other_environment',
  'unknown',
  'revoked',
  'expired',
] as const
export type AuthFailure = (typeof AUTH_FAILURES)[number]

export interface RequestEvent {
  readonly kind: 'request'
  readonly method: string
  /** The route's pattern, not the path: bounded, and free of text from clients. */
  readonly route: string
  /** The operation's id; the route where there is none of the contract behind it. */
  readonly operation: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  readonly keyId: string | undefined
  readonly authFailure: AuthFailure | undefined
}

interface BatchEvent {
  readonly kind: 'batch-stored'
  /** Animals made durable together. */
  readonly size: number
  /** As those who waited saw it. */
  readonly durationMs: number
  /** The commit alone, with the wait for the disk. */
  readonly commitMs: number
}

interface ListeningEvent {
  readonly kind: 'listening'
  readonly url: string
  readonly environment: string
  readonly database: string
  /** Where there are several. */
  readonly processes?: number
}

/** What the code reports. The log, the metrics and the traces decide what to do with it. */
export type Event =
  | RequestEvent
  | BatchEvent
  | ListeningEvent
  | {
      readonly kind: 'request-failed'
      readonly requestId: string
      readonly code: string
      readonly cause: unknown
    }
  | { readonly kind: 'metrics-listening'; readonly url: string }
  /** A process that shares the port ended without being asked to; another takes its place. */
  | {
      readonly kind: 'process-ended'
      readonly pid: number
      readonly reason: string
      readonly restartInMs: number
    }
  | { readonly kind: 'separate-rate-limits'; readonly processes: number }
  | { readonly kind: 'unknown-setting'; readonly variable: string }
  | { readonly kind: 'no-api-key'; readonly hint: string }
  | { readonly kind: 'key-expires-soon'; readonly keyId: string; readonly expires: string }
  | { readonly kind: 'certificate-expires-soon'; readonly file: string; readonly expires: string }
  | { readonly kind: 'certificate-expired'; readonly file: string; readonly expires: string }
  | { readonly kind: 'spans-dropped'; readonly count: number }
  | { readonly kind: 'log-lines-dropped'; readonly count: number }
  | { readonly kind: 'background-task-failed'; readonly task: string; readonly cause: unknown }
  | { readonly kind: 'out-of-descriptors' }
  | { readonly kind: 'storage-stalled' }
  | { readonly kind: 'storage-recovered'; readonly afterMs: number }
  /** The database is not used, and why. */
  | { readonly kind: 'database-refused'; readonly host: string; readonly reason: string }
  | { readonly kind: 'draining'; readonly signal: string }
  | { readonly kind: 'stopped'; readonly unanswered: number }
  | { readonly kind: 'stopped-by-force'; readonly afterMs: number }

export type Observe = (event: Event) => void

/** From the least to the most urgent. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LOG_LEVELS)[number]

const LEVELS: { readonly [kind in Event['kind']]: Level } = {
  request: 'info',
  'batch-stored': 'debug',
  listening: 'info',
  'request-failed': 'error',
  'metrics-listening': 'info',
  'process-ended': 'error',
  'separate-rate-limits': 'warn',
  'unknown-setting': 'warn',
  'no-api-key': 'warn',
  'key-expires-soon': 'warn',
  'certificate-expires-soon': 'warn',
  'certificate-expired': 'warn',
  'spans-dropped': 'warn',
  'log-lines-dropped': 'warn',
  'background-task-failed': 'error',
  'out-of-descriptors': 'warn',
  'storage-stalled': 'error',
  'storage-recovered': 'warn',
  'database-refused': 'error',
  draining: 'info',
  stopped: 'info',
  'stopped-by-force': 'error',
}

/** Health checks come every few seconds for as long as the service runs, so they are for debugging only. */
export const levelOf = (event: Event): Level =>
  event.kind === 'request' && (event.route === '/livez' || event.route === '/readyz')
    ? 'debug'
    : LEVELS[event.kind]
