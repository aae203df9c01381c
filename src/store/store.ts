import type { NewPet, Pet, PetStatus } from '../contract/pet.ts'
import type { Environment } from '../contract/servers.ts'
import type { MaybePromise } from '../maybe-promise.ts'

export interface PageQuery {
  readonly after: bigint
  readonly limit: number
  readonly status: PetStatus | undefined
}

/** Equal revisions of one store in one epoch represent the same animals. */
export type Revision = number | bigint

/** As text or in UTF-8, whichever the engine has. */
export type JsonText = string | Uint8Array

export interface StoredPage {
  /** The animals as an array. */
  readonly json: JsonText
  /** Of the last animal on the page. */
  readonly lastId: bigint | undefined
  /** As of the read or earlier. */
  readonly revision: Revision
  /** Whether more animals follow. Such a page never changes again: animals are only added at the end. */
  readonly more: boolean
}

/** A client's name for its request, and the API key that it used. */
export interface Idempotency {
  readonly keyId: string
  readonly key: string
}

export interface Addition {
  readonly pet: NewPet
  /** Its key is already hashed: the key that the client sent is stored nowhere. */
  readonly idempotency: Idempotency | undefined
}

export interface Added {
  readonly pet: Pet
  /** An earlier request with the same idempotency key added the animal. */
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
  list(): MaybePromise<readonly KeyRecord[]>
  find(hash: string): MaybePromise<KeyRecord | undefined>
  /** False if no valid key has this id. */
  revoke(id: string, at: Date): Promise<boolean>
  recordUses(uses: readonly KeyUse[]): Promise<void>
}

/** What an operator may want to know about a running store; answered at once, and never fails. */
interface StoreState {
  readonly engine: 'sqlite' | 'postgres'
  /** Animals that are waiting to be stored. */
  readonly waiting: number
  /** A write missed its deadline and is still unanswered. */
  readonly isStalled?: boolean
  /** Size of the write-ahead log, for an engine that has its own. */
  readonly logBytes?: number
  /** When the last backup was made, or null, on an engine that makes its own. */
  readonly lastBackupAt?: Date | null | undefined
  /** Calls that are waiting for a connection, for an engine that has a pool of them. */
  readonly waitingForConnection?: number
}

/** What an engine must do. If it cannot, it throws a StorageUnavailable. */
export interface Store {
  readonly environment: Environment
  /** Shared by all instances on one database, so that each accepts the others' cursors and recognises repeated requests. */
  readonly cursorSecret: string
  readonly keys: KeyStore
  /**
   * Changes whenever the database may have lost its last commits: its connection broke, or it was promoted or restored.
   * Answers cached under another number may be wrong. Costs almost nothing.
   */
  epoch(): number
  /** Changes whenever any process adds an animal. Synchronous if it needs no query. */
  revision(): MaybePromise<Revision>
  listPets(query: PageQuery): MaybePromise<StoredPage>
  /** The animal as JSON. */
  findPet(id: bigint): MaybePromise<JsonText | undefined>
  /** Resolves once the animal is durable. */
  addPet(addition: Addition): Promise<Added>
  /** Connects another thread to the writer, on an engine that has one writer for all threads. */
  readonly connectWriter?: (() => MessagePort) | undefined
  state(): StoreState
  /** Resolves when the store can answer. */
  ping(): MaybePromise<void>
  close(): Promise<void>
}
