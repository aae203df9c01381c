import { setPriority } from 'node:os'
import type { Exit } from '../../exit-codes.ts'
import { OperatorError } from '../../operator-error.ts'
import type { BackupReport } from '../backup.ts'
import { type BackupJob, makeBackupFile } from './backup-file.ts'

declare const self: Worker

export type FromBackup =
  | { readonly outcome: 'done'; readonly report: BackupReport }
  | { readonly outcome: 'refused'; readonly message: string; readonly exit: Exit }
  | { readonly outcome: 'failed'; readonly message: string }

const LESS_THAN_REQUESTS = 10

/** The thread that copies a database, so that neither reads nor writes wait for it. */
self.onmessage = ({ data }: MessageEvent<BackupJob>) => {
  // Linux keeps a priority for each thread; elsewhere it would slow down the whole process.
  if (process.platform === 'linux') setPriority(0, LESS_THAN_REQUESTS)
  try {
    post({ outcome: 'done', report: makeBackupFile(data) })
  } catch (error) {
    const { message } = error as Error
    post(
      error instanceof OperatorError
        ? { outcome: 'refused', message, exit: error.exit }
        : { outcome: 'failed', message },
    )
  }
}

const post = (message: FromBackup): void => self.postMessage(message)
