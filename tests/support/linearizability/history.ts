/** An animal as an answer showed it. Everything about it follows from its name, which one creation has to itself. */
export interface Shown {
  readonly id: number
  readonly name: string
  readonly status: string
}

/** When a request was sent and when its answer was complete, on one clock for all clients. */
interface Timed {
  readonly began: number
  readonly ended: number
}

/** One try to add an animal; several tries of one animal share name and idempotency key. */
export interface Create extends Timed {
  readonly kind: 'create'
  readonly name: string
  readonly key: string | undefined
  /** Undefined where it is not known: no answer, or one that leaves it open. */
  readonly shown: Shown | undefined
  readonly replayed: boolean
}

/** An animal asked for by its identifier. */
export interface Get extends Timed {
  readonly kind: 'get'
  readonly id: number
  /** Undefined for a 404. */
  readonly shown: Shown | undefined
  readonly etag: string | undefined
}

/** One page, of a list or of a walk. */
export interface List extends Timed {
  readonly kind: 'list'
  /** What was asked for; the same text always means the same page. */
  readonly target: string
  readonly after: number
  readonly limit: number
  readonly status: string | undefined
  readonly shown: readonly Shown[]
  readonly more: boolean
  readonly etag: string | undefined
}

/**
 * What happened. A 304 is recorded as the answer that its ETag came with: it says that this is still the answer, and is held
 * to that.
 */
export type Operation = Create | Get | List
