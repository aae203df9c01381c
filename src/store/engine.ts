import type { Observe } from '../observability/events.ts'
import type { BackupOptions, BackupReport, RestoreOptions, RestoreReport } from './backup.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { Caller } from './patience.ts'
import type { Store } from './store.ts'
import type { CopyTarget, Snapshot, Stage } from './transfer.ts'

interface Opening {
  /** Whether a database is made where there is none. */
  readonly create: boolean
  readonly observe?: Observe
  readonly caller?: Caller
  /** Where processes that serve together find the one of them that writes, in an engine that needs one. */
  readonly writerSocket?: string | undefined
}

/** All that can be done with one database. What an engine leaves to others it refuses in a sentence, with the reason. */
export interface Engine {
  /** Opens it for requests, and brings its schema up to date. */
  open(opening: Opening): Promise<Store>
  /** Opens it to read all of it as it is now. */
  openSnapshot(): Promise<Snapshot>
  /** Opens an empty one, or one that an interrupted copy left, to copy another into it. */
  openCopyTarget(): Promise<CopyTarget>
  /** Opens a stage that collects many animals before they are added. */
  openStage(create: boolean): Promise<Stage>
  /** Copies it to a file, whether or not a service uses it. */
  backUp(options: BackupOptions): Promise<BackupReport>
  /** Replaces it with a backup. No service may be using it. */
  restore(options: RestoreOptions): Promise<RestoreReport>
  /** Its mark, which no other database has. */
  identify(): Promise<string>
  /** Looks at it without changing anything. */
  diagnose(): Promise<Diagnosis>
  /** Whether a file is part of it, so that writing the file would destroy animals. */
  owns(file: string): Promise<boolean>
}
