export const DAY_MS = 24 * 60 * 60 * 1000

/** Whether a key or a certificate expires so soon that the operator should know. */
export const isSoon = (expiresAt: Date | undefined): boolean =>
  expiresAt !== undefined && expiresAt.getTime() < Date.now() + 14 * DAY_MS

/** Backups are made by a timer, so an old one means that the timer fails. A wrong clock may have dated one in the future. */
export const isOldBackup = (at: Date): boolean => at > new Date() || Date.now() - at.getTime() > 2 * DAY_MS

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
