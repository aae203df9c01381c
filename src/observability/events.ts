/** Why a request was not authorised. */
export const REFUSALS = [
  'missing',
  'malformed',
  'other_environment',
  'unknown',
  'revoked',
  'expired',
] as const
export type Refusal = (typeof REFUSALS)[number]

/** What the code reports. The logger, the metrics and the traces decide what to do with it. */
export type Event =
  | {
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
      readonly refusal: Refusal | undefined
    }
  | {
      readonly kind: 'request-failed'
      readonly requestId: string
      readonly code: string
      readonly cause: unknown
    }
  | {
      readonly kind: 'listening'
      readonly url: string
      readonly environment: string
      readonly database: string
      /** Where there are several. */
      readonly processes?: number
    }
  /** A process that shares the port ended without being asked to; another takes its place. */
  | {
      readonly kind: 'process-ended'
      readonly pid: number
      readonly reason: string
      readonly restartInMs: number
    }
  | { readonly kind: 'reloading' }
  | { readonly kind: 'reloaded'; readonly processes: number }
  | { readonly kind: 'separate-rate-limits'; readonly processes: number }
  | { readonly kind: 'metrics-listening'; readonly url: string }
  | {
      readonly kind: 'batch-stored'
      /** Animals made durable together. */
      readonly size: number
      /** As those who waited saw it. */
      readonly durationMs: number
      /** The commit alone, with the wait for the disk. */
      readonly commitMs: number
    }
  | { readonly kind: 'spans-dropped'; readonly count: number }
  | { readonly kind: 'log-lines-dropped'; readonly count: number }
  | { readonly kind: 'no-api-key'; readonly hint: string }
  | {
      readonly kind: 'backup-made'
      readonly file: string
      readonly animals: number
      readonly bytes: number
      readonly durationMs: number
    }
  | { readonly kind: 'background-task-failed'; readonly task: string; readonly cause: unknown }
  | { readonly kind: 'out-of-descriptors' }
  | { readonly kind: 'storage-stalled' }
  | { readonly kind: 'storage-recovered'; readonly afterMs: number }
  /** A host of the database is not used, and why. */
  | { readonly kind: 'database-refused'; readonly host: string; readonly reason: string }
  /** Pages are not read on a standby for now, and why. */
  | { readonly kind: 'replica-unused'; readonly host: string; readonly reason: string }
  | { readonly kind: 'certificate-replaced'; readonly expires: string }
  | { readonly kind: 'draining'; readonly signal: string }
  | { readonly kind: 'stopped'; readonly unanswered: number }
  | { readonly kind: 'stopped-by-force'; readonly afterMs: number }

export type Observe = (event: Event) => void
