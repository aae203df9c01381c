import { lookup } from 'node:dns/promises'
import { assertFree } from '../api/listen.ts'
import { type Config, unknownVariables } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import { readTlsPair, type TlsPair } from '../config/tls.ts'
import type { Event } from '../observability/events.ts'
import { codeOf, exitFor, OperatorError } from '../operator-error.ts'
import { DAY_MS, isOldBackup, isSoon } from '../warnings.ts'

/** Checks what may keep the service from listening; returns the certificate and its key, if it serves HTTPS. */
export async function assertCanListen(config: Config): Promise<TlsPair | undefined> {
  const { tls: files, host, port, metricsPort } = config
  const tls = files && readTlsPair(files)
  // The runtime fails with an arbitrary code where a name has no address.
  await lookup(host).catch((cause: unknown) => {
    const message = `The host ${host} cannot be resolved (${codeOf(cause)}). Set HOST to an address of this machine.`
    throw new OperatorError(message, { cause, exit: exitFor(cause) })
  })
  assertFree({ host, port, variable: SETTINGS.port.variable })
  if (metricsPort) assertFree({ host, port: metricsPort, variable: SETTINGS.metricsPort.variable })
  return tls
}

/** What does not keep the service from working, but will become a problem. */
export function warningsOf(tls: TlsPair | undefined, backupAt?: Date | null): Event[] {
  const warnings: Event[] = unknownVariables().map(variable => ({ kind: 'unknown-setting', variable }))
  // A new service has none yet, which needs no warning: the metric and `doctor` say so.
  const isOld = backupAt === null ? process.uptime() * 1000 > 2 * DAY_MS : backupAt && isOldBackup(backupAt)
  if (isOld) warnings.push({ kind: 'backup-is-old', madeAt: backupAt?.toISOString() ?? null })
  if (tls && tls.begins > new Date())
    warnings.push({ kind: 'certificate-not-valid-yet', file: tls.file, begins: tls.begins.toISOString() })
  if (tls && isSoon(tls.expires))
    warnings.push({
      kind: tls.expires <= new Date() ? 'certificate-expired' : 'certificate-expires-soon',
      file: tls.file,
      expires: tls.expires.toISOString(),
    })
  return warnings
}
