import type { Observe } from '../observability/events.ts'
import type { BackupOptions, BackupReport, RestoreOptions, RestoreReport } from './backup.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { Caller } from './patience.ts'
import type { Store } from './store.ts'
import type { CopyTarget, Snapshot, Stage } from './transfer.ts'

/** What processes that serve together have in common, for an engine where one of them writes for all. */
export interface Sharing {
  /** The beginning of the name of the socket through which they find the writer. */
  readonly socket: string
  /** The mark of the database that all of them must have open. */
  readonly mark: string
}

interface Opening {
  /** Whether to create the database if there is none. */
  readonly create: boolean
  readonly observe?: Observe
  readonly caller?: Caller
  readonly sharing?: Sharing | undefined
}

/** Everything that can be done with one database. An engine refuses what it does not support with an error that says why. */
export interface Engine {
  /** Opens it for requests and upgrades its schema. */
  open(opening: Opening): Promise<Store>
  /** Opens it to read its present state. */
  openSnapshot(): Promise<Snapshot>
  /** Opens an empty database, or the target of an interrupted copy, as the target of a copy. */
  openCopyTarget(): Promise<CopyTarget>
  /** Opens a stage that collects many animals before they are added. */
  openStage(create: boolean): Promise<Stage>
  /** Copies it to a file, whether or not a service uses it. */
  backUp(options: BackupOptions): Promise<BackupReport>
  /** Replaces it with a backup. No service may be using it. */
  restore(options: RestoreOptions): Promise<RestoreReport>
  /** Its mark, which is unique. */
  identify(): Promise<string>
  /** Checks it without changing anything. */
  diagnose(): Promise<Diagnosis>
  /** Whether a file is part of it, so that writing the file would destroy animals. */
  owns(file: string): Promise<boolean>
}
