/** An animal as an answer showed it. All its fields derive from its name, which is unique to one create. */
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

/** One attempt to add an animal; all attempts for one animal share its name and idempotency key. */
export interface Create extends Timed {
  readonly kind: 'create'
  readonly name: string
  readonly key: string | undefined
  /** Undefined if unknown: no answer, or one that leaves it open. */
  readonly shown: Shown | undefined
  readonly replayed: boolean
}

/** A request for an animal by its identifier. */
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
  /** The requested path; the same text always means the same page. */
  readonly target: string
  readonly after: number
  readonly limit: number
  readonly status: string | undefined
  readonly shown: readonly Shown[]
  readonly more: boolean
  readonly etag: string | undefined
}

/** A 304 is recorded as the answer that its ETag belongs to, because it claims that this answer is still valid. */
export type Operation = Create | Get | List
