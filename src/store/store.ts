import type { NewPet, Pet, PetStatus } from '../contract/pet.ts'
import type { Environment } from '../contract/servers.ts'
import type { HousekeepingState } from './housekeeping/forgetting.ts'

/** The embedded engine answers reads at once, a remote one later; callers await either. */
export type MaybePromise<T> = T | Promise<T>

export interface PageQuery {
  readonly after: bigint
  readonly limit: number
  readonly status: PetStatus | undefined
}

/** Two that are equal, of one store in one history, stand for the same animals. */
export type Revision = number | bigint

export interface StoredPage {
  readonly pets: readonly Pet[]
  /** Of the moment of the read, or an earlier one. */
  readonly revision: Revision
  /** Whether animals follow. A page with followers never changes again: animals are only ever added at the end. */
  readonly more: boolean
}

/** The name that a client gave its request, and the API key under which it did. */
export interface Idempotency {
  readonly keyId: string
  readonly key: string
}

export interface Addition {
  readonly pet: NewPet
  /** Its key is a hash by now: what a client sent as one is stored nowhere. */
  readonly idempotency: Idempotency | undefined
}

export interface Added {
  readonly pet: Pet
  /** The animal was added by an earlier request with the same idempotency key. */
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
  /** All that is known, the latest caller first. */
  list(): MaybePromise<readonly DeprecatedCalls[]>
}

interface PoolState {
  readonly open: number
  readonly idle: number
  /** Calls that wait for a connection. */
  readonly waiting: number
  readonly max: number
}

/** What an operator may want to know of a running store; answered from memory. */
interface StoreState {
  readonly engine: 'sqlite' | 'postgresql'
  /** Animals waiting to be stored. */
  readonly waiting: number
  /** A read or a write did not come back in time, and has not yet. */
  readonly isStalled?: boolean
  readonly housekeeping: HousekeepingState
  /** Bytes of the write-ahead log, where there is one of our own. */
  readonly logBytes?: number
  /** The pools of an engine that has connections. */
  readonly pools?: Readonly<Record<string, PoolState>>
}

/** What an engine must do. Failures to answer are ApiErrors with the code `unavailable`. */
export interface Store {
  readonly environment: Environment
  /** Shared by all instances on one database, so that each accepts the cursors of the others and knows their repeats. */
  readonly cursorSecret: string
  /** Tells this database from others, so that a command can find out whether a service uses the same one. */
  readonly mark: string
  readonly keys: KeyStore
  readonly deprecations: DeprecationStore
  /**
   * Changes whenever the database may have come back without its last commits: its connection broke, it was promoted or put
   * back. What was kept under another number is not known to be true. Costs next to nothing.
   */
  history(): number
  /** Changes whenever any process adds an animal. Synchronous where that takes no query. */
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
