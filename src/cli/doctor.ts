import type { Command } from 'commander'
import { withoutSecrets } from '../config/database-url.ts'
import {
  type Config,
  ENV_FILE,
  type Flags,
  fileVariable,
  givenFor,
  loadConfig,
  readEnvFile,
  unknownVariables,
} from '../config/load.ts'
import { SETTINGS, type Setting, type SettingName } from '../config/settings.ts'
import type { Environment } from '../contract/servers.ts'
import { isSoon, isUsable, keyCommand } from '../keys/create.ts'
import { OperatorError } from '../operator-error.ts'
import { certificateExpiry } from '../service/prepare.ts'
import { advice, type Diagnosis, type Finding, fail, isOldBackup, ok } from '../store/engine.ts'
import { engineOf } from '../store/engines.ts'
import type { KeyRecord } from '../store/store.ts'
import { countText, durationText } from '../text.ts'
import { commandIn, RELEASE } from '../this-program.ts'
import { flagsOf, type Options, withJson, withSettings } from './options.ts'
import { reachService } from './ready.ts'
import { printable, printFacts, table } from './terminal.ts'

const SEPARATE_LIMITS =
  'each process counts its own requests, so a key with several connections may make more. Limit in the proxy, or set PETSTORE_PROCESSES to 1'

export function doctorCommand(program: Command): void {
  withJson(withSettings(program.command('doctor'), SETTINGS))
    .description(
      'check settings, database, keys, backups and the running service; exit code 1 if something must be fixed',
    )
    .action(doctor)
}

async function doctor(options: Options & { envFile?: string }): Promise<void> {
  const flags = flagsOf(options)
  const config = attempt(() => loadConfig(flags))
  const isValid = !(config instanceof OperatorError)
  const settings = shownSettings(flags, options.envFile, isValid ? config : undefined)
  const findings = isValid ? await examine(config) : [fail('settings', config.message)]
  await printFacts(options, { release: RELEASE, settings, findings }, () => report(settings, findings))
  const count = findings.filter(({ level }) => level === 'fail').length
  if (count > 0) throw new OperatorError(`${count} of ${findings.length} checks failed.`)
}

/** What `serve` checks before it listens, and what it cannot know. */
async function examine(config: Config): Promise<Finding[]> {
  const { environment, port, processes } = config
  const { findings, missing, keys, lastBackup } = await engineOf(config).diagnose()
  const unknown = unknownVariables()
  return [
    unknown.length === 0
      ? ok('settings', 'all valid')
      : fail('settings', `${unknown.map(printable).join(', ')}: no such setting. Is it misspelled?`),
    ...(missing
      ? [fail('animals', `${missing.message} "${commandIn(environment, 'serve')}" creates a new one`)]
      : []),
    ...findings,
    ...(config.tls ? [certificateFinding(config)] : []),
    ...(keys === undefined ? [] : [keysFinding(keys, config)]),
    backupFinding(lastBackup, environment),
    ...(config.rateLimit && processes > 1 ? [advice('rate limit', SEPARATE_LIMITS)] : []),
    port === 0 ? ok('service', 'PORT is 0, so its address is unknown') : await reachService(config),
  ]
}

function certificateFinding(config: Config): Finding {
  const expiry = attempt(() => certificateExpiry(config) ?? new Date())
  if (expiry instanceof OperatorError) return fail('certificate', expiry.message)
  const text = `${config.tls?.cert} is valid until ${expiry.toISOString()}`
  if (expiry <= new Date()) return fail('certificate', `${text}, so clients refuse it. Renew it and restart`)
  return isSoon(expiry) ? advice('certificate', `${text}. Renew it and restart`) : ok('certificate', text)
}

function keysFinding(keys: readonly KeyRecord[], { apiKey, environment }: Config): Finding {
  const usable = keys.filter(isUsable)
  const create = `Create one: ${keyCommand(environment)}`
  if (usable.length === 0 && apiKey === undefined)
    return fail('API keys', `none is valid, so every request is refused. ${create}`)
  const soon = usable.filter(({ expiresAt }) => isSoon(expiresAt)).length
  const text = `${usable.length} of ${keys.length} valid${apiKey ? ', and the one that is configured' : ''}`
  if (soon === 0) return ok('API keys', text)
  const expiring = `${countText(soon, 'key')} will expire within 14 days: ${commandIn(environment, 'keys list')}`
  return advice('API keys', `${text}; ${expiring}`)
}

function backupFinding(last: Diagnosis['lastBackup'], environment: Environment): Finding {
  if (last === undefined) return ok('backup', 'left to PostgreSQL: pg_dump, or point-in-time recovery')
  const how = `Let a timer run ${commandIn(environment, 'backup FILE')}`
  if (last === 'none') return advice('backup', `none yet. ${how}`)
  const text = `${durationText(Date.now() - last.getTime())} ago`
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

interface ShownSetting {
  readonly variable: string
  readonly value: string | null
  readonly from: string
}

/** Every setting in a form that may be shown, valid or not, and where it came from. */
function shownSettings(
  flags: Flags,
  envFile: string | undefined,
  config: Config | undefined,
): ShownSetting[] {
  const fromFile = readEnvFile(envFile)
  return (Object.entries(SETTINGS) as [SettingName, Setting][]).map(([name, row]) => {
    const { variable, flag, isSecret } = row
    const { from, text } = givenFor(name, row, flags)
    const hidden = from === 'file' || text !== undefined ? '(secret)' : null
    const shown = text === undefined ? null : printable(withoutSecrets(text))
    const isDatabase = name === 'database' && config !== undefined
    return {
      variable,
      value: isDatabase ? config.database.publicName : isSecret ? hidden : shown,
      from: {
        flag: flag.replace(/ .*/, ''),
        file: fileVariable(variable),
        variable: text === fromFile[variable] ? (envFile ?? ENV_FILE) : 'variable',
        default: 'default',
      }[from],
    }
  })
}

function report(settings: readonly ShownSetting[], findings: readonly Finding[]): string {
  const head = `Petstore ${RELEASE} on Bun ${Bun.version}, ${process.platform} ${process.arch}\n\n`
  const rows = settings.map(({ variable, value, from }) => [variable, value ?? '(none)', from])
  const lines = findings.map(({ level, topic, text }) => [level, topic, text])
  return `${head}${table(['SETTING', 'VALUE', 'FROM'], rows)}\n${table(['STATE', 'WHAT', 'FOUND'], lines)}`
}
