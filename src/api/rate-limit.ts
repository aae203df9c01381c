import type { RateLimitPolicy } from '../config/settings.ts'
import { ApiError } from '../contract/errors.ts'
import type { RequestContext } from '../http/endpoint.ts'

/** The window is divided into this many slices; requests of one slice are counted together and forgotten together. */
const SLICES = 60
/** A window that begins within a slice touches one more. */
const COUNTED = SLICES + 1
/** Numbers of a slot: two hashes of the key, its newest slice, the count of all slices, and the count of each. */
const [HASH, OTHER_HASH, NEWEST, TOTAL, FIRST_COUNT] = [0, 1, 2, 3, 4]
const SLOT_SIZE = FIRST_COUNT + COUNTED
/** A key takes any slot of its bucket; the one that was idle for longest is reused. Room for about 6,000 active keys in 8 MiB. */
const BUCKETS = 512
const SLOTS = 32
const LOCK_BYTES = BUCKETS * Int32Array.BYTES_PER_ELEMENT
/** A thread holds a lock for a microsecond. After this time the thread has ended, and its lock is taken over. */
const DEAD_SECONDS = 2

/** The counts of all keys, to be shared by the limiters of all threads. */
export const rateLimitMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer(LOCK_BYTES + BUCKETS * SLOTS * SLOT_SIZE * Float64Array.BYTES_PER_ELEMENT)

/**
 * Counts requests by key for all threads together: no interval of the window's length has more accepted requests than the quota. A
 * rejected request is not counted, so a client that waits as told is accepted.
 */
export class RateLimiter {
  readonly #policy: string
  readonly #quota: number
  readonly #sliceMs: number
  readonly #originMs: number
  readonly #locks: Int32Array
  readonly #slots: Float64Array

  /**
   * `clockShiftMs` is how far the wall clock had moved against the main thread's clock when this thread started: without it, a
   * thread that starts after the wall clock was set would count on another time than the others.
   */
  constructor({ quota, windowSeconds }: RateLimitPolicy, memory: SharedArrayBuffer, clockShiftMs = 0) {
    this.#originMs = performance.timeOrigin - clockShiftMs
    this.#quota = quota
    this.#sliceMs = (windowSeconds * 1000) / SLICES
    this.#policy = `"default";q=${quota};w=${windowSeconds}`
    this.#locks = new Int32Array(memory, 0, BUCKETS)
    this.#slots = new Float64Array(memory, LOCK_BYTES)
  }

  /** Counts the request of a key, or rejects it; sets the fields of draft-ietf-httpapi-ratelimit-headers. */
  limit(context: RequestContext, keyId: string): void {
    const { isAllowed, remaining, resetSeconds } = this.take(keyId, context.startedAt)
    context.rateLimit = {
      'RateLimit-Policy': this.#policy,
      RateLimit: `"default";r=${remaining};t=${resetSeconds}`,
      ...(!isAllowed && { 'Retry-After': String(resetSeconds) }),
    }
    if (!isAllowed) throw new ApiError('rate_limited')
  }

  /** Counts a request, if it is allowed, and says what remains for its key. `threadTime` is that of `performance.now()`. */
  take(keyId: string, threadTime: number) {
    const now = this.#originMs + threadTime
    const slice = Math.floor(now / this.#sliceMs)
    const hash = Bun.hash.xxHash32(keyId)
    const bucket = hash % BUCKETS
    this.#lock(bucket)
    try {
      const slot = this.#slotOf(bucket, hash, Bun.hash.xxHash32(keyId, 1))
      this.#forgetBefore(slot, slice)
      const isAllowed = this.#at(slot + TOTAL) < this.#quota
      if (isAllowed) {
        this.#add(slot + TOTAL, 1)
        this.#add(countAt(slot, slice), 1)
      }
      const leavesAt = (this.#oldestIn(slot, slice) + COUNTED) * this.#sliceMs
      return {
        isAllowed,
        remaining: this.#quota - this.#at(slot + TOTAL),
        /** Whole seconds until the oldest counted requests leave the window, and another request fits. */
        resetSeconds: Math.max(1, Math.ceil((leavesAt - now) / 1000)),
      }
    } finally {
      Atomics.store(this.#locks, bucket, 0)
    }
  }

  /** A lock holds the second at which it was taken, or 0. */
  #lock(bucket: number): void {
    for (;;) {
      const second = (Math.floor((this.#originMs + performance.now()) / 1000) & 0x3fffffff) + 1
      const holder = Atomics.compareExchange(this.#locks, bucket, 0, second)
      if (holder === 0) return
      const isDead = Math.abs(second - holder) > DEAD_SECONDS
      if (isDead && Atomics.compareExchange(this.#locks, bucket, holder, second) === holder) return
    }
  }

  /** The slot of a key; if it has none, the one that was idle for longest. */
  #slotOf(bucket: number, hash: number, otherHash: number): number {
    const first = bucket * SLOTS * SLOT_SIZE
    let idle = first
    for (let slot = first; slot < first + SLOTS * SLOT_SIZE; slot += SLOT_SIZE) {
      if (this.#at(slot + HASH) === hash && this.#at(slot + OTHER_HASH) === otherHash) return slot
      if (this.#at(slot + NEWEST) < this.#at(idle + NEWEST)) idle = slot
    }
    this.#slots.fill(0, idle, idle + SLOT_SIZE)
    this.#slots[idle + HASH] = hash
    this.#slots[idle + OTHER_HASH] = otherHash
    return idle
  }

  /** Empties the counts of slices that have left the window, for the slices that take their place. */
  #forgetBefore(slot: number, slice: number): void {
    const newest = this.#at(slot + NEWEST)
    for (let next = Math.max(newest + 1, slice - SLICES); next <= slice; next++) {
      this.#add(slot + TOTAL, -this.#at(countAt(slot, next)))
      this.#slots[countAt(slot, next)] = 0
    }
    this.#slots[slot + NEWEST] = Math.max(newest, slice)
  }

  #oldestIn(slot: number, slice: number): number {
    let oldest = slice - SLICES
    while (oldest < slice && this.#at(countAt(slot, oldest)) === 0) oldest++
    return oldest
  }

  #at(index: number): number {
    return this.#slots[index] as number
  }

  #add(index: number, amount: number): void {
    this.#slots[index] = this.#at(index) + amount
  }
}

/** Where a slot counts the requests of a slice. */
const countAt = (slot: number, slice: number): number => slot + FIRST_COUNT + (slice % COUNTED)
