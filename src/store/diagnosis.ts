import type { NoDatabase } from './errors.ts'
import type { KeyRecord } from './store.ts'

/** What was checked, and either that it is in order or what to do. */
export interface Finding {
  readonly topic: string
  /** `advice` can wait; `fail` must be fixed. */
  readonly level: 'ok' | 'advice' | 'fail'
  readonly text: string
}

/** The findings about a database. Diagnosing changes nothing: it creates neither the file nor the schema. */
export interface Diagnosis {
  readonly findings: readonly Finding[]
  /** Set if there is nothing to check yet. */
  readonly missing?: NoDatabase
  /** Undefined if they could not be read. */
  readonly keys: readonly KeyRecord[] | undefined
  /** Undefined if backups are left to the database server. */
  readonly lastBackup: LastBackup | 'none' | undefined
  /** The clock of the database server, if the database runs on one. */
  readonly serverTime: Date | undefined
}

export interface LastBackup {
  readonly at: Date
  readonly file: string
}

const finding =
  (level: Finding['level']) =>
  (topic: string, text: string): Finding => ({ topic, level, text })

export const ok = finding('ok')
export const advice = finding('advice')
export const fail = finding('fail')
