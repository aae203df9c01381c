import type { Command } from 'commander'
import { commandIn } from '../command-name.ts'
import { type Config, loadConfig, unknownVariables } from '../config/load.ts'
import { ADDRESS_SETTINGS, SETTINGS, STORE_SETTINGS } from '../config/settings.ts'
import { readTlsPair, type TlsPair } from '../config/tls.ts'
import type { Environment } from '../contract/servers.ts'
import { countText } from '../count-text.ts'
import { hashOfKey, isUsable, keyCommand } from '../keys/api-key.ts'
import { printable } from '../observability/log.ts'
import { messageOf, OperatorError } from '../operator-error.ts'
import { RELEASE } from '../release.ts'
import { PartOfCopy } from '../store/copy.ts'
import { advice, type Diagnosis, type Finding, fail, ok } from '../store/diagnosis.ts'
import { engineOf } from '../store/engines.ts'
import { NoDatabase } from '../store/errors.ts'
import type { KeyRecord } from '../store/store.ts'
import { isOldBackup, isSoon } from '../warnings.ts'
import { noDatabase } from './database.ts'
import { flagsOf, type Options, withJson, withSettings } from './options.ts'
import { reachService } from './ready.ts'
import { printFacts } from './terminal.ts'

export function doctorCommand(program: Command): void {
  const rows = { ...STORE_SETTINGS, ...ADDRESS_SETTINGS, apiKey: SETTINGS.apiKey }
  withJson(withSettings(program.command('doctor'), rows))
    .description(
      'check settings, database, keys, backups and the running service; exit code 1 if something must be fixed',
    )
    .action(doctor)
}

async function doctor(options: Options): Promise<void> {
  const config = attempt(() => loadConfig(flagsOf(options)))
  const findings =
    config instanceof OperatorError ? [fail('settings', config.message)] : await examine(config)
  const lines = findings.map(finding => `${findingLine(finding)}\n`)
  await printFacts(options, { release: RELEASE, findings }, `Petstore ${RELEASE}\n${lines.join('')}`)
  const count = findings.filter(({ level }) => level === 'fail').length
  if (count > 0) throw new OperatorError(`${count} of ${findings.length} checks failed.`)
}

export const findingLine = ({ level, topic, text }: Finding): string =>
  `${level.padEnd(6)}  ${topic}: ${text}`

/** What `serve --check` checks too, and the running service. */
async function examine(config: Config): Promise<Finding[]> {
  const { findings, failure } = await checkSetup(config)
  return [
    ...findings,
    ...(failure === undefined ? [] : [failureFinding(failure, config.environment)]),
    config.port === 0
      ? ok('service', 'PORT is 0, so the address of the service is unknown')
      : await reachService(config),
  ]
}

/** Checks everything but the address, and changes nothing. With the failure, a start would fail, or create a missing database. */
export async function checkSetup(config: Config): Promise<Pick<Diagnosis, 'findings' | 'failure'>> {
  const { environment, database, apiKey, tls } = config
  const { findings, failure, keys, lastBackup } = await (await engineOf(config)).diagnose()
  const configuredHash = apiKey && hashOfKey(apiKey)
  const configuredKey = keys?.find(({ hash }) => hash === configuredHash)
  const unknown = unknownVariables()
  const all = [
    unknown.length === 0
      ? ok('settings', `all valid: ${environment}, animals in ${database.publicName}`)
      : advice(
          'settings',
          `${unknown.map(printable).join(', ')}: no such setting. Is it misspelled, or is PETSTORE_ missing?`,
        ),
    ...findings,
    ...(tls ? [certificateFinding(attempt(() => readTlsPair(tls)))] : []),
    ...(keys ? [keysFinding(keys, configuredKey, config), backupFinding(lastBackup, environment)] : []),
  ]
  return { findings: all, failure }
}

function failureFinding(failure: unknown, environment: Environment): Finding {
  if (failure instanceof NoDatabase) return fail('animals', noDatabase(failure, environment).message)
  return fail(failure instanceof PartOfCopy ? 'animals' : 'database', messageOf(failure))
}

export function certificateFinding(pair: TlsPair | OperatorError): Finding {
  if (pair instanceof OperatorError) return fail('certificate', pair.message)
  const { file, begins, expires } = pair
  const text = `${file} is valid from ${begins.toISOString()} until ${expires.toISOString()}`
  const how = 'Renew it, then restart the service'
  if (begins > new Date() || expires <= new Date())
    return fail('certificate', `${text}, so clients refuse it now. ${how}`)
  return isSoon(expires) ? advice('certificate', `${text}. ${how}`) : ok('certificate', text)
}

export function keysFinding(
  keys: readonly KeyRecord[],
  configured: KeyRecord | undefined,
  { apiKey, environment }: Config,
): Finding {
  const usable = keys.filter(isUsable)
  const create = `Create one: ${keyCommand(environment)}`
  if (configured && !isUsable(configured))
    return fail('API keys', `PETSTORE_SERVER_API_KEY was revoked or has expired. ${create}`)
  if (usable.length === 0 && apiKey === undefined)
    return fail('API keys', `none is valid, so every request is rejected. ${create}`)
  const soon = usable.filter(({ expiresAt }) => isSoon(expiresAt)).length
  const text = `${usable.length} of ${keys.length} valid${apiKey ? ', and the one that is configured' : ''}`
  if (soon === 0) return ok('API keys', text)
  const expiring = `${countText(soon, 'key')} will expire within 14 days: ${commandIn(environment, 'keys list')}`
  return advice('API keys', `${text}; ${expiring}`)
}

export function backupFinding(last: Diagnosis['lastBackup'], environment: Environment): Finding {
  if (last === undefined) return ok('backup', 'left to PostgreSQL: pg_dump, or point-in-time recovery')
  const how = `Let a timer run ${commandIn(environment, 'backup FILE')}`
  if (last === null) return advice('backup', `none yet. ${how}`)
  const text = `the last one was made at ${last.toISOString()}`
  if (last > new Date()) return advice('backup', `${text}, which is in the future: a clock was wrong. ${how}`)
  return isOldBackup(last) ? advice('backup', `${text}. ${how}`) : ok('backup', text)
}

function attempt<T>(work: () => T): T | OperatorError {
  try {
    return work()
  } catch (error) {
    if (error instanceof OperatorError) return error
    throw error
  }
}
