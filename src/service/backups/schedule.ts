import { join } from 'node:path'
import type { BackupPlan, Config } from '../../config/load.ts'
import { asOwnerOf } from '../../files/act-as-owner.ts'
import { lockPath } from '../../files/lock.ts'
import { createPrivateFolder } from '../../files/private.ts'
import type { Observe } from '../../observability/events.ts'
import { messageOf, OperatorError } from '../../operator-error.ts'
import { backupName, newestBackup, removeOldBackups } from './folder.ts'
import { backUpInOwnProcess } from './in-own-process.ts'

const RETRY_MS = 10 * 60 * 1000
const LOOK_AGAIN_MS = 5000

/** Backs up the store periodically, counted from the newest existing backup. The returned function stops it. */
export function scheduleBackups(config: Config, observe: Observe): () => void {
  const plan = config.backups
  if (plan === undefined) return () => {}
  try {
    asOwnerOf(plan.folder, () => createPrivateFolder(plan.folder))
  } catch (cause) {
    throw new OperatorError(`The backup folder ${plan.folder} cannot be created: ${messageOf(cause)}.`, {
      cause,
    })
  }
  let timer: Timer | undefined
  const ending = new AbortController()
  const job = { ...plan, config, observe, signal: ending.signal }
  const turn = async (): Promise<void> => {
    const waitMs = await backUpIfDue(job)
    if (!ending.signal.aborted) timer = setTimeout(turn, waitMs)
  }
  timer = setTimeout(turn, 0)
  return () => {
    ending.abort()
    clearTimeout(timer)
  }
}

/** Returns the time until the next check. If several processes share the folder, one of them makes the backup. */
async function backUpIfDue({
  config,
  observe,
  folder,
  everyMs,
  keep,
  signal,
}: BackupPlan & { config: Config; observe: Observe; signal: AbortSignal }): Promise<number> {
  const { environment } = config
  try {
    using lock = lockPath(join(folder, `${environment}-backups`))
    if (lock === undefined) return Math.min(everyMs, LOOK_AGAIN_MS)
    const newest = newestBackup(folder, environment)
    const dueInMs = newest === undefined ? 0 : newest.getTime() + everyMs - Date.now()
    if (dueInMs > 0) return Math.min(dueInMs, everyMs)
    const file = join(folder, backupName(environment, new Date()))
    const { animals, bytes, durationMs } = await backUpInOwnProcess(config, file, signal)
    observe({ kind: 'backup-made', file, animals, bytes, durationMs: Math.round(durationMs) })
    removeOldBackups(folder, environment, keep)
    return everyMs
  } catch (cause) {
    if (!signal.aborted) observe({ kind: 'background-task-failed', task: 'making a backup', cause })
    return Math.min(everyMs, RETRY_MS)
  }
}
