import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../contract/servers.ts'
import { asOwnerOf } from '../../files/act-as-owner.ts'
import { removeAbandonedDrafts } from '../../files/draft.ts'

/** A backup, or what a killed process left of one. */
const STAMP = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.db(-lock|-draft-[0-9a-f]{16})?$/

/** Sorts by time, and is a valid file name on every system. */
export const backupName = (environment: Environment, at: Date): string =>
  `${environment}-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`

export const newestBackup = (folder: string, environment: Environment): Date | undefined =>
  backupsIn(folder, environment).at(-1)?.at

/** Removes all but the newest backups and the remains of interrupted ones. Other files are not ours to remove. */
export function removeOldBackups(folder: string, environment: Environment, keep: number): void {
  asOwnerOf(folder, () => {
    for (const { file } of backupsIn(folder, environment).slice(0, -keep)) rmSync(file, { force: true })
    for (const { file, rest } of entriesIn(folder, environment))
      if (rest !== '') removeAbandonedDrafts(file.slice(0, -rest.length))
  })
}

const backupsIn = (folder: string, environment: Environment) =>
  entriesIn(folder, environment).filter(({ rest }) => rest === '')

/** Oldest first. */
function entriesIn(folder: string, environment: Environment) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .toSorted()
    .flatMap(name => {
      const [, day, hour, minute, second, rest = ''] =
        (name.startsWith(`${environment}-`) && STAMP.exec(name.slice(environment.length + 1))) || []
      if (day === undefined) return []
      return [{ file: join(folder, name), at: new Date(`${day}T${hour}:${minute}:${second}Z`), rest }]
    })
}
