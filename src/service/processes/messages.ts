import type { ProcessCounts } from '../../http/public-endpoints.ts'

/** What a supervisor says to a process that it started. */
export type ToInstance =
  | { readonly kind: 'counts'; readonly counts: ProcessCounts }
  | { readonly kind: 'metrics' }
  /** Asks for a sign of life. */
  | { readonly kind: 'ping' }

/** What such a process says to its supervisor. */
export type FromInstance =
  | { readonly kind: 'listening' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'metrics'; readonly page: string }
  /** The last word; its metrics would be lost with it. */
  | { readonly kind: 'stopped'; readonly unanswered: number; readonly page: string | undefined }
