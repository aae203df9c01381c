import { OperatorError } from '../../../operator-error.ts'
import { startThread } from '../../../thread.ts'
import type { BackupReport } from '../../backup.ts'
import { NoDatabase } from '../../no-database.ts'
import type { FromBackup } from './backup-thread.ts'
import type { BackupJob } from './file.ts'

/** Backs up a database, in use or not, in a thread of its own. */
export async function backUpSqlite(job: BackupJob): Promise<BackupReport> {
  const { promise, resolve, reject } = Promise.withResolvers<FromBackup>()
  const worker = startThread('store/sqlite/backup/backup-thread.ts')
  worker.onmessage = ({ data }: MessageEvent<FromBackup>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(`The backup thread failed: ${message}`))
  worker.postMessage(job)
  try {
    const answer = await promise
    if (answer.outcome === 'done') return answer.report
    if (answer.outcome === 'no-database') throw new NoDatabase(answer.message)
    throw answer.outcome === 'refused' ? new OperatorError(answer.message, answer) : new Error(answer.message)
  } finally {
    worker.terminate()
  }
}
