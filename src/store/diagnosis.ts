import type { KeyRecord } from './store.ts'

/** The result of a check: that all is well, or what to do. */
export interface Finding {
  readonly topic: string
  /** `advice` can wait; `fail` must be fixed. */
  readonly level: 'ok' | 'advice' | 'fail'
  readonly text: string
}

const finding =
  (level: Finding['level']) =>
  (topic: string, text: string): Finding => ({ topic, level, text })

export const ok = finding('ok')
export const advice = finding('advice')
export const fail = finding('fail')

export interface Diagnosis {
  readonly findings: readonly Finding[]
  /** The error that ended the diagnosis. A start would fail with it too, or create the database if there is none. */
  readonly failure?: unknown
  /** Undefined if they could not be read. */
  readonly keys?: readonly (KeyRecord & { readonly hash: string })[]
  /** Null if there was none, undefined if backups are left to the database server. */
  readonly lastBackup?: Date | null
}
