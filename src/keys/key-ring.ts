import { timingSafeEqual } from 'node:crypto'
import type { Environment } from '../contract/servers.ts'
import type { AuthFailure, Observe } from '../observability/events.ts'
import type { KeyRecord, KeyStore } from '../store/store.ts'
import { isSoon } from '../warnings.ts'
import { environmentOfKey, hashOfKey, holdsKeyPrefix } from './api-key.ts'

/** A cached key is looked up again in the background after this time, while it is still accepted... */
const REFRESH_AFTER_MS = 1500
/** ...and not accepted without a lookup after this time: a revocation takes effect everywhere within 5 seconds. */
const EXPIRE_AFTER_MS = 4000
const MAX_CACHED_KEYS = 10_000

/** The cached part of an accepted key's record: at most a few hundred bytes, however long the key's name is. */
interface CachedKey {
  readonly key: string
  readonly id: string
  readonly expiresAt: Date | undefined
  readonly checkedAt: number
  isRefreshing: boolean
}

type KeyStatus = Pick<KeyRecord, 'id' | 'expiresAt' | 'revokedAt'>

interface KeyRingOptions {
  readonly environment: Environment
  readonly keys: Pick<KeyStore, 'find'>
  /** One more accepted key, from the settings. */
  readonly configuredKey: string | undefined
  /** Is told once of each key in use that expires soon. */
  readonly observe?: Observe
}

/** Why a key is not accepted. */
export class KeyRejected extends Error {
  override readonly name = 'KeyRejected'
  readonly failure: AuthFailure
  /** The environment that the key is for, if it is not this one. */
  readonly environment: Environment | undefined

  constructor(failure: AuthFailure, environment?: Environment) {
    super(failure)
    this.failure = failure
    this.environment = environment
  }
}

/** Decides whether a key is accepted. For a cached key it reads only memory. */
export class KeyRing {
  readonly #options: KeyRingOptions
  readonly #configured: { readonly hash: string; readonly status: KeyStatus } | undefined
  /** By a hash with a random seed: the time of a lookup reveals nothing. Only valid keys, which are short, so it is bounded. */
  readonly #cache = new Map<number, CachedKey>()
  readonly #expiring = new Set<string>()
  readonly #seed = crypto.getRandomValues(new Uint32Array(1))[0] as number

  constructor(options: KeyRingOptions) {
    this.#options = options
    if (options.configuredKey === undefined) return
    const hash = hashOfKey(options.configuredKey)
    // The id distinguishes two configured keys without revealing anything about them.
    const id = `configured_${hashOfKey(hash).slice(0, 8)}`
    this.#configured = { hash, status: { id, expiresAt: undefined, revokedAt: undefined } }
  }

  /** The id of a recently verified key. Times are those of the monotonic clock. */
  cachedKeyId(key: string, now: number): string | undefined {
    const cached = this.#cache.get(this.#placeOf(key))
    if (cached === undefined || cached.key !== key) return undefined
    const age = now - cached.checkedAt
    if (age > EXPIRE_AFTER_MS) return undefined
    if (age > REFRESH_AFTER_MS && !cached.isRefreshing) void this.#refresh(cached)
    assertNotExpired(cached.expiresAt)
    return cached.id
  }

  /** Looks the key up; throws a KeyRejected that says why if it is not accepted. */
  async verify(key: string): Promise<string> {
    const checkedAt = performance.now()
    const record = await this.#find(key)
    if (record === undefined) throw new KeyRejected('unknown')
    const { id, expiresAt, revokedAt } = record
    if (revokedAt !== undefined) throw new KeyRejected('revoked')
    assertNotExpired(expiresAt)
    if (expiresAt && isSoon(expiresAt) && !this.#expiring.has(id)) {
      this.#expiring.add(id)
      this.#options.observe?.({ kind: 'key-expires-soon', keyId: id, expires: expiresAt.toISOString() })
    }
    const place = this.#placeOf(key)
    // The keys in use come back with one lookup each. Deleting only the oldest entry would rescan the slots deleted before.
    if (this.#cache.size >= MAX_CACHED_KEYS && !this.#cache.has(place)) this.#cache.clear()
    // A copy of the key: a slice of a header would keep the whole header in memory.
    const copy = Buffer.from(key).toString()
    this.#cache.set(place, { key: copy, id, expiresAt, checkedAt, isRefreshing: false })
    return id
  }

  /** Whether a text contains an accepted key, or one that looks like it: such a text must not be echoed. */
  isRevealedBy(text: string): boolean {
    const { configuredKey } = this.#options
    return holdsKeyPrefix(text) || (configuredKey !== undefined && text.includes(configuredKey))
  }

  /** When the first of the valid cached keys expires. */
  nextExpiry(): Date | undefined {
    let next: CachedKey | undefined
    for (const cached of this.#cache.values()) {
      const { expiresAt: at } = cached
      if (at && at > new Date() && !(next?.expiresAt && next.expiresAt <= at)) next = cached
    }
    // Only the store knows whether a key that is not used any more was revoked.
    if (next && performance.now() - next.checkedAt > EXPIRE_AFTER_MS) void this.#refresh(next)
    return next?.expiresAt
  }

  async #find(key: string): Promise<KeyStatus | undefined> {
    const { environment: here, keys } = this.#options
    const hash = hashOfKey(key)
    const environment = environmentOfKey(key)
    const configured = this.#configured
    const isConfigured = configured && timingSafeEqual(Buffer.from(configured.hash), Buffer.from(hash))
    if (environment === undefined) {
      if (isConfigured) return configured.status
      throw new KeyRejected('malformed')
    }
    if (environment !== here) throw new KeyRejected('other_environment', environment)
    // If the configured key is also in the store, the store decides: it may have been revoked.
    return (await keys.find(hash)) ?? (isConfigured ? configured.status : undefined)
  }

  async #refresh(entry: CachedKey): Promise<void> {
    if (entry.isRefreshing) return
    entry.isRefreshing = true
    try {
      await this.verify(entry.key)
    } catch (error) {
      if (error instanceof KeyRejected) this.#cache.delete(this.#placeOf(entry.key))
      // Otherwise the store does not respond: the key stays accepted until its entry expires; then the lookup fails.
      entry.isRefreshing = false
    }
  }

  #placeOf(key: string): number {
    return Bun.hash.xxHash32(key, this.#seed)
  }
}

function assertNotExpired(expiresAt: Date | undefined): void {
  if (expiresAt !== undefined && expiresAt.getTime() <= Date.now()) throw new KeyRejected('expired')
}
