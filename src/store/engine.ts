import type { Environment } from '../contract/servers.ts'
import type { Observe } from '../observability/events.ts'
import type { Copyable } from './copy.ts'
import type { Database } from './database.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { KeyRecord, KeyStore, Store } from './store.ts'

/** A database, and the environment that it must belong to. */
export interface StoreLocation<Of extends Database = Database> {
  readonly database: Of
  readonly environment: Environment
}

/** Everything that can be done with one database. An engine refuses what it does not support with an error that says why. */
export interface Engine extends Copyable {
  /** For the main thread of a service: creates it if it may, works on the keys, and keeps what listeners need. */
  prepare<T>(
    create: boolean,
    observe: Observe,
    work: (keys: KeyStore) => Promise<T>,
  ): Promise<{ readonly result: T; readonly kept: KeptStore }>
  /** Opens it for requests, with the schema of this release. */
  open(opening: Opening): Promise<Store>
  /** Copies it to a file, whether or not a service uses it. */
  backUp(options: BackupOptions): Promise<BackupReport>
  /** Notes that a backup was made just now. */
  recordBackup(): Promise<void>
  /** Replaces it with a backup. No service may be using it. */
  restore(options: RestoreOptions): Promise<RestoreReport>
  /** Checks what a start does and more. Creates no database and changes none. */
  diagnose(): Promise<Diagnosis>
}

/** What the main thread of a service keeps open until it stops. */
export interface KeptStore {
  /** Lets a listener write through the writer thread, on an engine that has one. */
  readonly newLink?: () => WriterLink
  /** Asks the file and its disk, so only whoever shows the figures calls it. Never fails. */
  figures(): DatabaseFigures
  close(): Promise<void>
}

/** One thread's port to the writer thread, and one on which another port arrives if that thread has ended and is replaced. */
export type WriterLink = readonly [calls: MessagePort, renewals: MessagePort]

/** Empty for an engine without its own files, or if they cannot be read. */
export interface DatabaseFigures {
  readonly walBytes?: number
  /** What can still be written to the disk. */
  readonly freeBytes?: number
  /** Null if there was no backup. */
  readonly lastBackupAt?: Date | null
}

export interface Opening {
  /** Whether to create the database if there is none. */
  readonly create: boolean
  readonly observe?: Observe
  /** A service must answer within 5 seconds; a command can wait longer. */
  readonly caller?: 'service' | 'command'
  /** Changes with every turn of the event loop in which requests start. Reads of one turn share work. */
  readonly turn?: () => number
  /** The number of threads, which share the limits of the service. */
  readonly threads?: number
  /** Shared by all threads: how many animals the last failed create had, or 0 after one that succeeded. */
  readonly failed?: Int32Array | undefined
  /** From the main thread, if the engine has a writer thread. */
  readonly link?: WriterLink | undefined
}

/** What a copy of a database holds. */
export interface CopySummary {
  readonly animals: number
  readonly keys: number
  /** The highest identifier ever assigned, which may be above the highest stored one. */
  readonly lastId: bigint
}

export interface BackupOptions {
  readonly file: string
  /** Whether an existing file may be replaced. */
  readonly force: boolean
}

export interface BackupReport extends CopySummary {
  readonly bytes: number
  readonly durationMs: number
}

export interface RestoreOptions extends BackupOptions {
  /** The first identifier to assign, if the caller knows better than the files. */
  readonly nextId: bigint | undefined
}

export interface RestoreReport extends CopySummary {
  /** Where the previous database is kept. */
  readonly kept: string | undefined
  /** Whether the previous database could be read, so that its identifiers and revocations were kept. */
  readonly knowsWhatCameAfter: boolean
  /** Whether the backup is the file of a database, whose newest animals may have been in its write-ahead log. */
  readonly mayLackWal: boolean
  /** Keys that were valid in the backup and have been revoked since. */
  readonly revokedAgain: number
  /** Valid keys that were created after the backup, so they are gone. */
  readonly droppedKeys: readonly Pick<KeyRecord, 'id' | 'name'>[]
}
