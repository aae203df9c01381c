import type { NoDatabase } from './no-database.ts'
import type { KeyRecord } from './store.ts'

/** What was looked at, and either that it is in order or what to do. */
export interface Finding {
  readonly topic: string
  /** `advice` can wait; `fail` must be fixed. */
  readonly level: 'ok' | 'advice' | 'fail'
  readonly text: string
}

/** The findings about a database. Nothing is changed: neither file nor schema is created. */
export interface Diagnosis {
  readonly findings: readonly Finding[]
  /** Where there is nothing to look at yet. */
  readonly missing?: NoDatabase
  /** Undefined where they could not be read. */
  readonly keys: readonly KeyRecord[] | undefined
  /** Undefined where the engine makes its own. */
  readonly lastBackup: LastBackup | 'none' | undefined
  /** The clock of the database server, where that is another one. */
  readonly serverTime: Date | undefined
}

export interface LastBackup {
  readonly at: Date
  readonly file: string
}

export const finding =
  (level: Finding['level']) =>
  (topic: string, text: string): Finding => ({ topic, level, text })

export const ok = finding('ok')
export const advice = finding('advice')
export const fail = finding('fail')
