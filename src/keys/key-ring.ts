import { timingSafeEqual } from 'node:crypto'
import { PetstoreError } from '../contract/errors.ts'
import type { Environment } from '../environment.ts'
import type { KeyRecord, KeyStore, MaybePromise } from '../store/store.ts'
import { environmentOfKey, hashOfKey } from './api-key.ts'

/** A remembered key is looked up again in the background after this time, while it is still being accepted... */
const REFRESH_AFTER_MS = 1500
/** ...and not accepted without a look-up after this one: a revocation holds everywhere within 5 seconds. */
const EXPIRES_AFTER_MS = 4000
const MAX_REMEMBERED = 10_000
const CONFIGURED_KEY_ID = 'configured'

interface Remembered {
  record: KeyRecord
  checkedAt: number
  refreshing: boolean
}

export interface KeyRingOptions {
  readonly environment: Environment
  readonly keys: KeyStore
  /** One more accepted key, from the settings. */
  readonly configuredKey: string | undefined
}

/** Decides who may come in. On a warm path it reads nothing but memory. */
export class KeyRing {
  readonly #options: KeyRingOptions
  readonly #configured: { readonly hash: Buffer; readonly id: string } | undefined
  readonly #remembered = new Map<string, Remembered>()
  #uses = new Map<string, Date>()

  constructor(options: KeyRingOptions) {
    this.#options = options
    if (options.configuredKey === undefined) return
    const hash = hashOfKey(options.configuredKey)
    // The id tells two configured keys apart without saying anything about either.
    this.#configured = { hash: Buffer.from(hash), id: `${CONFIGURED_KEY_ID}_${hashOfKey(hash).slice(0, 8)}` }
  }

  /** The id of the key, or an `invalid_api_key` failure that says why. */
  verify(key: string): MaybePromise<string> {
    const hash = hashOfKey(key)
    if (this.#configured !== undefined && timingSafeEqual(this.#configured.hash, Buffer.from(hash)))
      return this.#configured.id
    const remembered = this.#remembered.get(hash)
    if (remembered !== undefined) {
      const age = performance.now() - remembered.checkedAt
      if (age < EXPIRES_AFTER_MS) {
        if (age > REFRESH_AFTER_MS && !remembered.refreshing) this.#refresh(hash, remembered)
        return this.#accept(remembered.record)
      }
    }
    return this.#lookUp(key, hash)
  }

  /** Hands over when each key was last used since the last call. */
  takeUses(): { id: string; at: Date }[] {
    const uses = [...this.#uses].map(([id, at]) => ({ id, at }))
    this.#uses = new Map()
    return uses
  }

  async #lookUp(key: string, hash: string): Promise<string> {
    const environment = environmentOfKey(key)
    if (environment === undefined)
      throw new PetstoreError(
        'invalid_api_key',
        'This is not a well-formed API key. Check it for a typing mistake.',
      )
    if (environment !== this.#options.environment)
      throw new PetstoreError(
        'invalid_api_key',
        `This API key is for ${environment}; this is the ${this.#options.environment} service.`,
      )
    const checkedAt = performance.now()
    const record = await this.#options.keys.find(hash)
    if (record === undefined) {
      this.#remembered.delete(hash)
      throw new PetstoreError('invalid_api_key', 'This API key is unknown.')
    }
    this.#remember(hash, { record, checkedAt, refreshing: false })
    return this.#accept(record)
  }

  #accept(record: KeyRecord): string {
    if (record.revokedAt !== undefined)
      throw new PetstoreError('invalid_api_key', 'This API key was revoked.')
    const now = Date.now()
    if (record.expiresAt !== undefined && record.expiresAt.getTime() <= now)
      throw new PetstoreError('invalid_api_key', 'This API key has expired.')
    this.#uses.set(record.id, new Date(now))
    return record.id
  }

  #remember(hash: string, entry: Remembered): void {
    // The map keeps its order of insertion, so the first entry is the oldest.
    if (this.#remembered.size >= MAX_REMEMBERED)
      this.#remembered.delete(this.#remembered.keys().next().value as string)
    this.#remembered.set(hash, entry)
  }

  async #refresh(hash: string, entry: Remembered): Promise<void> {
    entry.refreshing = true
    const checkedAt = performance.now()
    try {
      const record = await this.#options.keys.find(hash)
      if (record === undefined) this.#remembered.delete(hash)
      else Object.assign(entry, { record, checkedAt })
    } catch {
      // The store cannot answer: the key stays accepted until it expires here, and then the look-up says so.
    } finally {
      entry.refreshing = false
    }
  }
}
