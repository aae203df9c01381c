/** From when on `doctor` and the service warn. */
export const DAY_MS = 24 * 60 * 60 * 1000

/** Whether a key or a certificate expires so soon that the operator should know. */
export const isSoon = (expiresAt: Date | undefined): boolean =>
  expiresAt !== undefined && expiresAt.getTime() < Date.now() + 14 * DAY_MS

/** Backups are made by a timer, so an old one means that the timer fails. A wrong clock may have dated one in the future. */
export const isOldBackup = (at: Date): boolean => at > new Date() || Date.now() - at.getTime() > 2 * DAY_MS
