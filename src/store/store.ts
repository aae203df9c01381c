import type { NewPet, Pet, PetStatus } from '../contract/pet.ts'
import type { MaybePromise } from '../maybe-promise.ts'

export interface PageQuery {
  readonly after: bigint
  readonly limit: number
  readonly status: PetStatus | undefined
}

/** JSON as a string or as UTF-8 bytes, whichever the engine has. */
type JsonText = string | Uint8Array

export interface StoredPage {
  /** The animals as a JSON array. */
  readonly json: JsonText
  /** Identifier of the last animal on the page. */
  readonly lastId: bigint | undefined
  /** For a last page, the revision of the store when it was read, or an earlier one. Other pages need none. */
  readonly revision: bigint | undefined
  /** Whether there is a next page. If so, this page never changes, because animals are only appended. */
  readonly more: boolean
}

/** A client's idempotency key, and the id of the API key that sent it. */
export interface Idempotency {
  readonly keyId: string
  readonly key: string
}

export interface Addition {
  readonly pet: NewPet
  /** Its idempotency key is already hashed; the original is never stored. */
  readonly idempotency: Idempotency | undefined
}

export interface Added {
  readonly pet: Pet
  /** Whether an earlier request with the same idempotency key added the animal. */
  readonly replayed: boolean
}

export interface KeyRecord {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  readonly revokedAt: Date | undefined
  readonly lastUsedAt: Date | undefined
  /** Calls of deprecated operations with this key. */
  readonly deprecatedCalls: number
  readonly deprecatedCallAt: Date | undefined
}

export interface NewKeyRecord extends Pick<KeyRecord, 'id' | 'name' | 'hint' | 'createdAt' | 'expiresAt'> {
  readonly hash: string
}

export interface KeyUse {
  readonly id: string
  readonly at: Date
  /** Calls of deprecated operations since the last record. */
  readonly deprecatedCalls: number
}

export interface KeyStore {
  add(key: NewKeyRecord): Promise<void>
  list(): Promise<readonly KeyRecord[]>
  find(hash: string): Promise<KeyRecord | undefined>
  /** False if no valid key has this id. */
  revoke(id: string, at: Date): Promise<boolean>
  recordUses(uses: readonly KeyUse[]): Promise<void>
}

/** What waits in one thread's store. */
export interface Backlog {
  /** Animals waiting to be stored. */
  readonly animals: number
  /** A write missed its deadline and has not finished, for an engine with a writer thread. */
  readonly isStalled?: boolean
  /** Calls waiting for a connection, for an engine that has a pool. */
  readonly calls?: number
}

/** The interface of every engine. It throws a StorageUnavailable if the storage fails. */
export interface Store {
  /** Shared by all instances on one database, so that each accepts the others' cursors and recognises retries. */
  readonly cursorSecret: string
  readonly keys: KeyStore
  /**
   * Changes whenever the database may have lost its last commits: its connection broke, or it was promoted or restored. Responses
   * cached in another epoch may be wrong. Calling this costs almost nothing.
   */
  epoch(): number
  /** Changes whenever any process adds an animal, and only then within one epoch. Synchronous if it needs no query. */
  revision(): MaybePromise<bigint>
  listPets(query: PageQuery): MaybePromise<StoredPage>
  /** The animal as JSON. */
  findPet(id: bigint): MaybePromise<JsonText | undefined>
  /** Resolves once the animal is durable. */
  addPet(addition: Addition): Promise<Added>
  /** Reads only memory. */
  backlog(): Backlog
  /** Resolves if the store is available. */
  ping(): Promise<void>
  close(): Promise<void>
}
