import { OperatorError } from '../../../operator-error.ts'
import { startThread } from '../../../thread.ts'
import type { BackupReport } from '../../backup.ts'
import { NoDatabase } from '../../no-database.ts'
import { DeadMan } from '../file/dead-man.ts'
import type { FromBackup } from './backup-thread.ts'
import type { BackupJob } from './file.ts'
import { CopyProgress } from './progress.ts'

const LOOK_EVERY_MS = 1000

/**
 * Backs up a database, in use or not, in a separate thread. The copy keeps SQLite from emptying the log, so the whole
 * process is killed if it is stopped for too long or makes no progress. A service therefore runs its backups in another
 * process.
 */
export async function backUpSqlite(job: BackupJob): Promise<BackupReport> {
  const { promise, resolve, reject } = Promise.withResolvers<FromBackup>()
  const worker = startThread('store/sqlite/backup/backup-thread.ts')
  worker.onmessage = ({ data }: MessageEvent<FromBackup>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(`The backup thread failed: ${message}`))
  const deadMan = new DeadMan()
  const progress = new CopyProgress()
  deadMan.arm()
  const looking = setInterval(() => progress.isMade() && deadMan.arm(), LOOK_EVERY_MS)
  worker.postMessage(job)
  try {
    const answer = await promise
    if (answer.outcome === 'done') return answer.report
    if (answer.outcome === 'no-database') throw new NoDatabase(answer.message)
    throw answer.outcome === 'refused' ? new OperatorError(answer.message, answer) : new Error(answer.message)
  } finally {
    clearInterval(looking)
    deadMan.disarm()
    worker.terminate()
  }
}
