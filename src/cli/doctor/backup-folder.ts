import { mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { BackupPlan } from '../../config/load.ts'
import { messageOf } from '../../operator-error.ts'
import { type Finding, fail, ok } from '../../store/diagnosis.ts'

/** Whether scheduled backups could be written; the service creates the folder itself. */
export function backupFolderFinding({ folder }: BackupPlan): Finding {
  try {
    const nearest = nearestExisting(resolve(folder))
    if (!statSync(nearest).isDirectory()) return fail('backup folder', `${nearest} is not a folder`)
    // Write permission is not sufficient everywhere, so a file is created and removed again.
    rmdirSync(mkdtempSync(join(nearest, '.petstore-check-')))
    return ok('backup folder', folder)
  } catch (error) {
    return fail('backup folder', `Backups cannot be written to ${folder}: ${messageOf(error)}`)
  }
}

const nearestExisting = (path: string): string =>
  statSync(path, { throwIfNoEntry: false }) !== undefined || path === dirname(path)
    ? path
    : nearestExisting(dirname(path))
