import type { Command } from 'commander'
import { type Config, type Flags, loadConfig, unknownVariables } from '../../config/load.ts'
import { OperatorError } from '../../operator-error.ts'
import { RELEASE } from '../../release.ts'
import { type Diagnosis, type Finding, mend, ok } from '../../store/diagnosis.ts'
import { diagnoseStore } from '../../store/open.ts'
import { withAdvice } from '../places/at-database.ts'
import { otherDatabase, runningService } from '../places/same-database.ts'
import { ALL_SETTINGS, flagsOf, withSettings } from '../settings-options.ts'
import { painter } from '../terminal/abilities.ts'
import { printFacts, withJson } from '../terminal/facts.ts'
import { table } from '../terminal/table.ts'
import { backupFolderFinding } from './backup-folder.ts'
import { certificateFinding } from './certificate.ts'
import { backupFinding, clockFinding, keysFinding, settingsFinding } from './checks.ts'
import { reachFindings } from './reach.ts'
import { type ShownSetting, shownSettings } from './settings.ts'

const COLOURS = { ok: 'green', advice: 'yellow', mend: 'red' } as const

export function doctorCommand(program: Command): void {
  withJson(withSettings(program.command('doctor'), ALL_SETTINGS))
    .description(
      'look at settings, database, keys, backups and the running service; exit code 1 if something must be mended',
    )
    .action(options => doctor(flagsOf(options), options))
}

async function doctor(flags: Flags, options: { json?: boolean }): Promise<void> {
  const config = configOrFault(flags)
  const isValid = !(config instanceof OperatorError)
  const settings = shownSettings(flags, isValid ? config : undefined)
  const findings = isValid ? await examine(config) : [mend('settings', config.message)]
  await printFacts(options, { release: RELEASE, settings, findings }, () => report(settings, findings))
  const count = findings.filter(({ level }) => level === 'mend').length
  if (count > 0) throw new OperatorError(`${count} of ${findings.length} findings must be mended.`)
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
    diagnosis(config),
    reachFindings(config),
  ])
  return [
    settingsFinding(unknownVariables()),
    ...(missing ? [mend('animals', await withAdvice(missing, config))] : []),
    ...findings,
    clockFinding(serverTime, keys ?? []),
    ...(config.tls ? [certificateFinding(config.tls)] : []),
    ...(keys === undefined ? [] : [keysFinding(keys, config)]),
    backupFinding(lastBackup, config.backups),
    ...(config.backups ? [backupFolderFinding(config.backups)] : []),
    ...reached,
    ...(await sameDatabaseFinding(config, missing === undefined)),
  ]
}

/** Whether the service at the address of the settings is about the same animals. */
async function sameDatabaseFinding(config: Config, isMade: boolean): Promise<Finding[]> {
  const service = await runningService(config)
  if (service === undefined || !isMade) return []
  try {
    const difference = await otherDatabase(config, service)
    return [difference ? mend('same database', difference) : ok('same database', 'the service uses this one')]
  } catch {
    // Why it cannot be read was found already.
    return []
  }
}

/** A URL may be of the right shape and still name nothing that could be asked. */
async function diagnosis({ databaseUrl, environment }: Config): Promise<Diagnosis> {
  try {
    return await diagnoseStore(databaseUrl, environment)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    const findings = [mend('database', error.message)]
    return { findings, keys: undefined, lastBackup: undefined, serverTime: undefined }
  }
}

function report(settings: readonly ShownSetting[], findings: readonly Finding[]): string {
  const head = `Petstore ${RELEASE} on Bun ${Bun.version}, ${process.platform} ${process.arch}\n\n`
  const rows = settings.map(({ variable, value, from }) => [variable, value, from])
  const paint = painter(process.stdout)
  const lines = findings.map(({ level, topic, text }) => [paint(COLOURS[level], level), topic, text])
  return `${head}${table(['SETTING', 'VALUE', 'FROM'], rows)}\n${table(['STATE', 'WHAT', 'FOUND'], lines)}`
}
