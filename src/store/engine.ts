import type { Observe } from '../observability/events.ts'
import type { BackupOptions, BackupReport, RestoreOptions, RestoreReport } from './backup.ts'
import type { CopySource, CopyTarget } from './copy.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { Store } from './store.ts'

interface Opening {
  /** Whether to create the database if there is none. */
  readonly create: boolean
  readonly observe?: Observe
  /** A service must answer within 5 seconds; a command can wait longer. */
  readonly caller?: 'service' | 'command'
}

/** Everything that can be done with one database. An engine refuses what it does not support with an error that says why. */
export interface Engine {
  /** Opens it for requests, with the schema of this release. */
  open(opening: Opening): Promise<Store>
  /** Opens it to read its present state; a service may be using it. */
  openCopySource(): Promise<CopySource>
  /** Opens an empty or missing database as the target of a copy; refuses any other. */
  openCopyTarget(): Promise<CopyTarget>
  /** Notes where it was copied to, so that it is refused from then on; undefined takes the note back. */
  markMoved(place: string | undefined): Promise<void>
  /** Copies it to a file, whether or not a service uses it. */
  backUp(options: BackupOptions): Promise<BackupReport>
  /** Replaces it with a backup. No service may be using it. */
  restore(options: RestoreOptions): Promise<RestoreReport>
  /** Checks it without changing anything. */
  diagnose(): Promise<Diagnosis>
}
