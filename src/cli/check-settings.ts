import type { Config } from '../config/load.ts'
import { OperatorError } from '../operator-error.ts'
import { SocketPlace } from '../service/processes/socket-place.ts'
import { engineOf } from '../store/engines.ts'
import { asSentence } from '../text/sentence.ts'
import { backupFolderFinding } from './doctor/backup-folder.ts'
import { certificateFinding } from './doctor/certificate.ts'
import { metricsPortFinding } from './doctor/reach.ts'
import { print } from './terminal.ts'

/** `serve --check`: reports what would prevent a start, without starting; a running service is not affected. */
export async function checkSettings(config: Config): Promise<void> {
  const { database, environment, tls, backups, metrics } = config
  // A start would need it. The folder is removed again at once.
  if (config.processes > 1 && database.engine === 'sqlite') new SocketPlace()[Symbol.dispose]()
  const { findings } = await engineOf(config).diagnose()
  const all = [
    ...(tls ? [certificateFinding(tls)] : []),
    ...(backups ? [backupFolderFinding(backups)] : []),
    ...(metrics?.port ? [await metricsPortFinding(metrics)] : []),
    ...findings,
  ]
  const faults = all.filter(({ level }) => level === 'fail')
  if (faults.length > 0) throw new OperatorError(faults.map(({ text }) => asSentence(text)).join(' '))
  await print(
    `The settings are valid, and ${database.publicName} can be served as ${environment}. Nothing was started.\n`,
  )
}
