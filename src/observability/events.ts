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
  /** The operation's id, or the route if the contract has no operation for it. */
  readonly operation: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
  readonly keyId: string | undefined
  readonly authFailure: AuthFailure | undefined
}

/** Events that the code reports. The log, the metrics and the traces decide what to do with them. */
export type Event =
  | RequestEvent
  | Of<'request-failed', { requestId: string; code: string; cause: unknown }>
  /** Animals stored in one transaction, and how long its commit took, including the sync. */
  | Of<'batch-stored', { size: number; commitMs: number }>
  | Of<'listening', { url: string; environment: string; database: string; threads: number }>
  | Of<'metrics-listening', { url: string }>
  /** A thread ended unexpectedly; another one replaces it. */
  | Of<'thread-ended', { thread: string; reason: string }>
  | Of<'unknown-setting', { variable: string }>
  | Of<'no-api-key', { hint: string }>
  | Of<'pages-not-built', { reason: string; hint: string }>
  /** The service starts and serves reads, but nothing can be stored, for example because the disk is full. */
  | Of<'creates-will-fail', { cause: unknown }>
  | Of<'key-expires-soon', { keyId: string; expires: string }>
  | Of<'certificate-not-valid-yet', { file: string; begins: string }>
  | Of<'certificate-expires-soon' | 'certificate-expired', { file: string; expires: string }>
  | Of<'backup-is-old', { madeAt: string | null }>
  | Of<'log-lines-dropped', { count: number }>
  | Of<'spans-dropped', { count: number; cause: unknown }>
  | Of<'background-task-failed', { task: string; cause: unknown }>
  | Of<'storage-stalled', object>
  | Of<'storage-recovered' | 'stopped-by-force', { afterMs: number }>
  /** The database is not used, for this reason. */
  | Of<'database-refused', { host: string; reason: string }>
  | Of<'draining', { signal: string }>
  | Of<'stopped', { unfinished: number }>

type Of<Kind extends string, Fields> = { readonly kind: Kind } & Readonly<Fields>

export type Observe = (event: Event) => void

/** Does what no request waits for, such as the work of a timer. A failure is reported, and does not end the thread. */
export async function inBackground(task: string, observe: Observe, work: () => unknown): Promise<void> {
  try {
    await work()
  } catch (cause) {
    observe({ kind: 'background-task-failed', task, cause })
  }
}

/** From the least to the most urgent. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LOG_LEVELS)[number]

/** Other kinds are warnings. */
const LEVELS: { readonly [kind in Event['kind']]?: Level } = {
  'batch-stored': 'debug',
  request: 'info',
  listening: 'info',
  'metrics-listening': 'info',
  draining: 'info',
  stopped: 'info',
  'request-failed': 'error',
  'thread-ended': 'error',
  'background-task-failed': 'error',
  'storage-stalled': 'error',
  'database-refused': 'error',
  'stopped-by-force': 'error',
}

/** Health checks arrive every few seconds, so they are logged for debugging only. */
export const levelOf = (event: Event): Level =>
  event.kind === 'request' && (event.route === '/livez' || event.route === '/readyz')
    ? 'debug'
    : (LEVELS[event.kind] ?? 'warn')

const FLUSH_AT = 256
const FLUSH_AFTER_MS = 50

export interface EventConsumer {
  readonly add: (event: Event, at: number) => void
  /** Called after the last event of a batch. */
  readonly flush?: () => void
}

/** Passes events to the log and the metrics in batches, at a quarter of the cost of handling each one during its request. */
export class EventQueue {
  readonly #consumers: readonly EventConsumer[]
  #events: Event[] = []
  #times: number[] = []
  #timer: Timer | undefined

  constructor(consumers: readonly (EventConsumer | undefined)[]) {
    this.#consumers = consumers.filter(consumer => consumer !== undefined)
  }

  readonly observe = (event: Event): void => {
    this.#times.push(Date.now())
    if (this.#events.push(event) >= FLUSH_AT) this.flush()
    else this.#timer ??= setTimeout(this.flush, FLUSH_AFTER_MS)
  }

  readonly flush = (): void => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const [events, times] = [this.#events, this.#times]
    this.#events = []
    this.#times = []
    for (const { add, flush } of this.#consumers) {
      for (let index = 0; index < events.length; index++) add(events[index] as Event, times[index] as number)
      flush?.()
    }
  }
}
