import { dirname, join } from 'node:path'
import { parseSpan } from './duration.ts'

/** Backups that the service makes by itself. */
export interface BackupPlan {
  readonly everyMs: number
  readonly keep: number
  readonly folder: string
}

const SHORTEST_MS = 1000
/** The runtime's timers reach little further. */
const LONGEST_MS = 24 * 24 * 60 * 60 * 1000

export function parseBackupSpan(text: string): number | undefined {
  const ms = parseSpan(text)
  return ms !== undefined && ms >= SHORTEST_MS && ms <= LONGEST_MS ? ms : undefined
}

export const parseKeep = (text: string): number | undefined =>
  /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined

/** Where backups go when nobody said; undefined for a database that is no file. */
export function folderBeside(databaseUrl: string): string | undefined {
  const [, path] = /^sqlite:(.+)$/s.exec(databaseUrl) ?? []
  return path === undefined ? undefined : join(dirname(path), 'backups')
}
