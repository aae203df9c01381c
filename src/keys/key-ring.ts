import { timingSafeEqual } from 'node:crypto'
import { MESSAGES } from '../contract/messages.ts'
import type { Environment } from '../contract/servers.ts'
import type { KeyRecord, KeyStore, MaybePromise } from '../store/store.ts'
import { environmentOfKey, hashOfKey, holdsKeyPrefix } from './api-key.ts'
import { Refused } from './refused.ts'

/** Cached credentials are looked up again in the background after this time, while they are still accepted... */
const REFRESH_AFTER_MS = 1500
/** ...and not accepted without a look-up after this time: a revocation takes effect everywhere within 5 seconds. */
const FORGET_AFTER_MS = 4000
export const MAX_REMEMBERED = 10_000

/** The cached part of a record: at most a few hundred bytes, however long the key's name is. */
type KeyStanding = Pick<KeyRecord, 'id' | 'expiresAt' | 'revokedAt'>

interface Remembered {
  readonly key: string
  readonly hash: string
  record: KeyStanding
  checkedAt: number
  usedAt: number
  refreshing: boolean
}

interface KeyRingOptions {
  readonly environment: Environment
  readonly keys: KeyStore
  /** One more accepted key, from the settings. */
  readonly configuredKey: string | undefined
}

/** Decides whether a key is accepted. For a cached key it reads only memory. */
export class KeyRing {
  readonly #options: KeyRingOptions
  readonly #configured: { readonly hash: string; readonly record: KeyStanding } | undefined
  /**
   * One entry per key, however its header was spelled, by a hash of the key with a random seed: the time of a
   * look-up reveals nothing about a key. It contains only valid keys, which are short, so its size is bounded too.
   */
  readonly #remembered = new Map<number, Remembered>()
  readonly #seed = crypto.getRandomValues(new Uint32Array(1))[0] as number

  constructor(options: KeyRingOptions) {
    this.#options = options
    if (options.configuredKey === undefined) return
    const hash = hashOfKey(options.configuredKey)
    // The id distinguishes two configured keys without revealing anything about them.
    const id = `configured_${hashOfKey(hash).slice(0, 8)}`
    this.#configured = { hash, record: { id, expiresAt: undefined, revokedAt: undefined } }
  }

  /** The id of a recently verified key. Times are those of the monotonic clock. */
  recognise(key: string, now: number): string | undefined {
    const remembered = this.#remembered.get(Bun.hash.xxHash32(key, this.#seed))
    if (remembered === undefined || remembered.key !== key) return undefined
    const age = now - remembered.checkedAt
    if (age > FORGET_AFTER_MS) return undefined
    if (age > REFRESH_AFTER_MS && !remembered.refreshing) void this.#refresh(remembered)
    remembered.usedAt = now
    return accepted(remembered.record)
  }

  /** The id of the key, or an `invalid_api_key` failure that says why. */
  async verify(key: string): Promise<string> {
    const hash = hashOfKey(key)
    const checkedAt = performance.now()
    const record = await this.#look(key, hash)
    if (record === undefined) throw new Refused('unknown', MESSAGES.keyIsUnknown)
    const id = accepted(record)
    this.#remember({
      key: copyOf(key),
      hash,
      record: standingOf(record),
      checkedAt,
      usedAt: checkedAt,
      refreshing: false,
    })
    return id
  }

  /** Whether a text contains an accepted key, or one that looks like it: such a text must not be echoed. */
  isRevealedBy(text: string): boolean {
    const { configuredKey } = this.#options
    return holdsKeyPrefix(text) || (configuredKey !== undefined && text.includes(configuredKey))
  }

  /** When each key was last used, for keys used since a time of the monotonic clock. */
  usesSince(time: number): { id: string; at: Date }[] {
    const now = performance.now()
    return [...this.#remembered.values()]
      .filter(({ usedAt }) => usedAt >= time)
      .map(({ record, usedAt }) => ({ id: record.id, at: new Date(Date.now() - (now - usedAt)) }))
  }

  #isConfigured(hash: string): boolean {
    return (
      this.#configured !== undefined && timingSafeEqual(Buffer.from(this.#configured.hash), Buffer.from(hash))
    )
  }

  #look(key: string, hash: string): MaybePromise<KeyStanding | undefined> {
    return this.#isConfigured(hash) ? this.#lookUpConfigured(key, hash) : this.#lookUp(key, hash)
  }

  /** If the configured key is also in the store, the store decides: it may have been revoked. */
  async #lookUpConfigured(key: string, hash: string): Promise<KeyStanding | undefined> {
    const stored = environmentOfKey(key) === undefined ? undefined : await this.#options.keys.find(hash)
    return stored ?? this.#configured?.record
  }

  #lookUp(key: string, hash: string): MaybePromise<KeyRecord | undefined> {
    const environment = environmentOfKey(key)
    if (environment === undefined) throw new Refused('malformed', MESSAGES.keyIsMalformed)
    const here = this.#options.environment
    if (environment !== here) throw new Refused('other_environment', MESSAGES.keyIsFor(environment, here))
    return this.#options.keys.find(hash)
  }

  #remember(entry: Remembered): void {
    // A map keeps its order of insertion, so the first entry is the oldest.
    if (this.#remembered.size >= MAX_REMEMBERED)
      this.#remembered.delete(this.#remembered.keys().next().value as number)
    this.#remembered.set(Bun.hash.xxHash32(entry.key, this.#seed), entry)
  }

  async #refresh(entry: Remembered): Promise<void> {
    entry.refreshing = true
    const checkedAt = performance.now()
    try {
      const record = await this.#look(entry.key, entry.hash)
      if (record === undefined) this.#remembered.delete(Bun.hash.xxHash32(entry.key, this.#seed))
      else Object.assign(entry, { record: standingOf(record), checkedAt })
    } catch {
      // The store does not respond: the key stays accepted until its entry expires; then the look-up fails.
    } finally {
      entry.refreshing = false
    }
  }
}

const standingOf = ({ id, expiresAt, revokedAt }: KeyStanding): KeyStanding => ({ id, expiresAt, revokedAt })

/** A copy: a slice of a header would keep the whole header in memory. */
const copyOf = (key: string): string => Buffer.from(key).toString()

function accepted(record: KeyStanding): string {
  if (record.revokedAt !== undefined) throw new Refused('revoked', MESSAGES.keyIsRevoked)
  if (record.expiresAt !== undefined && record.expiresAt.getTime() <= Date.now())
    throw new Refused('expired', MESSAGES.keyIsExpired)
  return record.id
}
