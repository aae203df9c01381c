/** What the code reports. The logger, and whoever else listens, decides what to do with it. */
export type Event =
  | {
      readonly kind: 'request'
      readonly method: string
      /** The route's pattern, not the path: bounded, and free of text from clients. */
      readonly route: string
      readonly status: number
      readonly durationMs: number
      readonly requestId: string
      readonly keyId: string | undefined
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
    }
  | { readonly kind: 'no-api-key'; readonly hint: string }
  | { readonly kind: 'background-task-failed'; readonly task: string; readonly cause: unknown }
  | { readonly kind: 'out-of-descriptors' }
  | { readonly kind: 'certificate-replaced'; readonly expires: string }
  | { readonly kind: 'draining'; readonly signal: string }
  | { readonly kind: 'stopped'; readonly unanswered: number }

export type Observe = (event: Event) => void
