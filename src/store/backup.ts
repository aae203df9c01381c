/** What a copy of a database holds. */
export interface CopySummary {
  readonly animals: number
  readonly keys: number
  /** The highest identifier ever given, which may be above the highest that is stored. */
  readonly lastId: bigint
}

export interface BackupOptions {
  readonly file: string
  /** Whether a file that is there already may be replaced. */
  readonly force: boolean
}

export interface BackupReport extends CopySummary {
  readonly bytes: number
  readonly durationMs: number
}

export interface RestoreOptions extends BackupOptions {
  /** The first identifier that may be given to an animal, where the caller knows better than the files. */
  readonly nextId: bigint | undefined
}

export interface RestoreReport extends CopySummary {
  /** Where the database lies that was there before. */
  readonly kept: string | undefined
  /** Whether that database could be read, so that its identifiers and revocations hold on. */
  readonly knowsWhatCameAfter: boolean
  /** Keys that were valid in the backup and had been revoked since. */
  readonly revokedAgain: number
}
