import { ownCommandLine } from '../../command-name.ts'
import type { Config } from '../../config/load.ts'
import { locationOf } from '../../store/database.ts'

export interface Made {
  readonly animals: number
  readonly bytes: number
  readonly durationMs: number
}

/**
 * Runs `petstore backup` as a separate process. A copy that makes no progress can be killed, so that it no longer keeps
 * the log from being emptied, and its locks are not the service's. It also ends with the service.
 */
export async function backUpInOwnProcess(
  { database, environment }: Pick<Config, 'database' | 'environment'>,
  file: string,
  signal: AbortSignal,
): Promise<Made> {
  const settings = ['--env', environment, '--database-url', `sqlite:${locationOf(database)}`]
  const child = Bun.spawn([...ownCommandLine(), 'backup', file, '--json', ...settings], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  const [code, report, complaint] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ])
  if (code === 0) return JSON.parse(report) as Made
  if (child.signalCode === null) throw new Error(complaint.trim())
  throw new Error(`The backup was ended by ${child.signalCode}: it was stopped or made no progress.`)
}
