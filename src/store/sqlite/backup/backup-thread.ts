import { setPriority } from 'node:os'
import type { Exit } from '../../../exit-codes.ts'
import { OperatorError } from '../../../operator-error.ts'
import type { BackupReport } from '../../backup.ts'
import { NoDatabase } from '../../no-database.ts'
import { type BackupJob, makeBackupFile } from './file.ts'

declare const self: Worker

export type FromBackup =
  | { readonly outcome: 'done'; readonly report: BackupReport }
  | { readonly outcome: 'no-database' | 'failed'; readonly message: string }
  | { readonly outcome: 'refused'; readonly message: string; readonly exit: Exit }

const LESS_THAN_REQUESTS = 10

/** The thread that copies a database, so that neither reads nor writes wait for it. */
self.onmessage = ({ data }: MessageEvent<BackupJob>) => {
  // Linux has a priority per thread; elsewhere this would slow down the whole process.
  if (process.platform === 'linux') setPriority(0, LESS_THAN_REQUESTS)
  try {
    post({ outcome: 'done', report: makeBackupFile(data) })
  } catch (error) {
    post(failureOf(error))
  }
}

/** Errors lose their class when they leave a thread. */
function failureOf(error: unknown): FromBackup {
  const { message } = error as Error
  if (error instanceof NoDatabase) return { outcome: 'no-database', message }
  return error instanceof OperatorError
    ? { outcome: 'refused', message, exit: error.exit }
    : { outcome: 'failed', message }
}

const post = (message: FromBackup): void => self.postMessage(message)
