import type { NewPet, Pet, PetStatus } from '../contract/pet.ts'
import type { Environment } from '../contract/servers.ts'
import type { HousekeepingState } from './housekeeping/forgetting.ts'

/** The embedded engine may answer immediately, a remote one later; callers await both. */
export type MaybePromise<T> = T | Promise<T>

export interface PageQuery {
  readonly after: bigint
  readonly limit: number
  readonly status: PetStatus | undefined
}

/** Equal revisions of one store in one history represent the same animals. */
export type Revision = number | bigint

export interface StoredPage {
  readonly pets: readonly Pet[]
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
}

export interface NewKeyRecord extends Pick<KeyRecord, 'id' | 'name' | 'hint' | 'createdAt' | 'expiresAt'> {
  readonly hash: string
}

export interface KeyUse {
  readonly id: string
  readonly at: Date
}

export interface KeyStore {
  add(key: NewKeyRecord): Promise<void>
  list(): MaybePromise<readonly KeyRecord[]>
  find(hash: string): MaybePromise<KeyRecord | undefined>
  /** False if no valid key has this id. */
  revoke(id: string, at: Date): Promise<boolean>
  recordUses(uses: readonly KeyUse[]): Promise<void>
}

/** Calls of a deprecated operation by one API key. */
export interface DeprecatedCalls {
  readonly keyId: string
  readonly operation: string
  readonly calls: number
  readonly lastAt: Date
}

export interface DeprecationStore {
  /** Adds these calls to the totals of all instances. */
  record(calls: readonly DeprecatedCalls[]): Promise<void>
  /** Everything that is known, the latest caller first. */
  list(): MaybePromise<readonly DeprecatedCalls[]>
}

interface PoolState {
  readonly open: number
  readonly idle: number
  /** Calls that are waiting for a connection. */
  readonly waiting: number
  readonly max: number
}

/** What an operator may want to know about a running store; answered from memory. */
interface StoreState {
  readonly engine: 'sqlite' | 'postgresql'
  /** Animals that are waiting to be stored. */
  readonly waiting: number
  /** A read or write missed its deadline and is still unanswered. */
  readonly isStalled?: boolean
  readonly housekeeping: HousekeepingState
  /** Size of the write-ahead log, for an engine that has its own. */
  readonly logBytes?: number
  /** The connection pool, for an engine that has one. */
  readonly pools?: Readonly<Record<string, PoolState>>
  /** Pages by where they were read, for an engine with replicas. */
  readonly replicaPages?: Readonly<Record<string, number>>
}

/** What an engine must do. If it cannot answer, it throws an ApiError with the code `unavailable`. */
export interface Store {
  readonly environment: Environment
  /** Shared by all instances on one database, so that each accepts the others' cursors and recognises repeated requests. */
  readonly cursorSecret: string
  /** Distinguishes this database from others, so that a command can find out whether a service uses the same one. */
  readonly mark: string
  readonly keys: KeyStore
  readonly deprecations: DeprecationStore
  /**
   * Changes whenever the database may have lost its last commits: its connection broke, or it was promoted or restored.
   * Answers cached under another number may be wrong. Costs almost nothing.
   */
  history(): number
  /** Changes whenever any process adds an animal. Synchronous if it needs no query. */
  revision(): MaybePromise<Revision>
  listPets(query: PageQuery): MaybePromise<StoredPage>
  findPet(id: bigint): MaybePromise<Pet | undefined>
  /** Resolves once the animal is durable. */
  addPet(addition: Addition): Promise<Added>
  state(): StoreState
  /** Resolves when the store can answer. */
  ping(): MaybePromise<void>
  close(): Promise<void>
}
