import type { ProcessCounts } from '../../api/context.ts'

/** What a supervisor sends to a process that it started. */
export type ToInstance =
  | { readonly kind: 'counts'; readonly counts: ProcessCounts }
  | { readonly kind: 'metrics' }
  /** Asks for a sign of life. */
  | { readonly kind: 'ping' }

/** What such a process sends to its supervisor. */
export type FromInstance =
  | { readonly kind: 'listening' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'metrics'; readonly page: string }
  /** The last message. It carries the metrics, which would otherwise be lost. */
  | { readonly kind: 'stopped'; readonly unanswered: number; readonly page: string | undefined }
