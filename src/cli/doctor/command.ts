import type { Command } from 'commander'
import { type Config, loadConfig } from '../../config/load.ts'
import type { Flags } from '../../config/read.ts'
import { SETTINGS } from '../../config/settings.ts'
import { unknownVariables } from '../../config/variables.ts'
import { OperatorError } from '../../operator-error.ts'
import { RELEASE } from '../../release.ts'
import { type Finding, fail } from '../../store/diagnosis.ts'
import { engineOf } from '../../store/engines.ts'
import { withAdvice } from '../database.ts'
import { flagsOf, withSettings } from '../settings-options.ts'
import { painted, printFacts, table, withJson } from '../terminal.ts'
import { backupFolderFinding } from './backup-folder.ts'
import { certificateFinding } from './certificate.ts'
import { backupFinding, clockFinding, keysFinding, rateLimitFinding, settingsFinding } from './checks.ts'
import { reachFindings } from './reach.ts'
import { type ShownSetting, shownSettings } from './settings.ts'

const COLOURS = { ok: 'green', advice: 'yellow', fail: 'red' } as const

export function doctorCommand(program: Command): void {
  withJson(withSettings(program.command('doctor'), SETTINGS))
    .description(
      'check settings, database, keys, backups and the running service; exit code 1 if something must be fixed',
    )
    .action(options => doctor(flagsOf(options), options))
}

async function doctor(flags: Flags, options: { json?: boolean }): Promise<void> {
  const config = configOrFault(flags)
  const isValid = !(config instanceof OperatorError)
  const settings = shownSettings(flags, isValid ? config : undefined)
  const findings = isValid ? await examine(config) : [fail('settings', config.message)]
  await printFacts(options, { release: RELEASE, settings, findings }, () => report(settings, findings))
  const count = findings.filter(({ level }) => level === 'fail').length
  if (count > 0) throw new OperatorError(`${count} of ${findings.length} checks failed.`)
}

function configOrFault(flags: Flags): Config | OperatorError {
  try {
    return loadConfig(flags)
  } catch (error) {
    if (error instanceof OperatorError) return error
    throw error
  }
}

async function examine(config: Config): Promise<Finding[]> {
  const [{ findings, missing, keys, lastBackup, serverTime }, reached] = await Promise.all([
    engineOf(config).diagnose(),
    reachFindings(config),
  ])
  return [
    settingsFinding(unknownVariables()),
    ...(missing ? [fail('animals', withAdvice(missing).message)] : []),
    ...findings,
    clockFinding(serverTime, keys ?? []),
    ...(config.tls ? [certificateFinding(config.tls)] : []),
    ...(keys === undefined ? [] : [keysFinding(keys, config)]),
    backupFinding(lastBackup, config.backups),
    ...(config.backups ? [backupFolderFinding(config.backups)] : []),
    ...(config.rateLimit && config.processes > 1 ? [rateLimitFinding(config.processes)] : []),
    ...reached,
  ]
}

function report(settings: readonly ShownSetting[], findings: readonly Finding[]): string {
  const head = `Petstore ${RELEASE} on Bun ${Bun.version}, ${process.platform} ${process.arch}\n\n`
  const rows = settings.map(({ variable, value, from }) => [variable, value, from])
  const lines = findings.map(({ level, topic, text }) => [painted(COLOURS[level], level), topic, text])
  return `${head}${table(['SETTING', 'VALUE', 'FROM'], rows)}\n${table(['STATE', 'WHAT', 'FOUND'], lines)}`
}
