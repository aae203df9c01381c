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
  /** Keys that were valid in the backup and have been revoked since. */
  readonly revokedAgain: number
}
