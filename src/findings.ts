const DAY_MS = 24 * 60 * 60 * 1000

/** How long before a key or a certificate expires the operator is told. */
export const isSoon = (expiresAt: Date | undefined): boolean =>
  expiresAt !== undefined && expiresAt.getTime() < Date.now() + 14 * DAY_MS

/** Backups are made by a timer: an older one means that it fails. */
export const isOldBackup = (at: Date): boolean => Date.now() - at.getTime() > 7 * DAY_MS

/** What was checked, and either that it is in order or what to do. */
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
