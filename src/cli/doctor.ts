import type { Command } from 'commander'
import { commandName } from '../command-name.ts'
import { withoutSecrets } from '../config/database-url.ts'
import { durationText } from '../config/duration.ts'
import { type Config, loadConfig } from '../config/load.ts'
import { type Flags, fileVariable, givenFor, unknownVariables } from '../config/read.ts'
import { SETTINGS, type Setting, type SettingName } from '../config/settings.ts'
import { EXPIRES_SOON_MS, isUsable, keyCommand } from '../keys/create.ts'
import { OperatorError } from '../operator-error.ts'
import { RELEASE } from '../release.ts'
import { certificateExpiry, START_CHECKS } from '../service/prepare.ts'
import { advice, type Diagnosis, type Finding, fail, ok } from '../store/engine.ts'
import { engineOf } from '../store/engines.ts'
import type { KeyRecord } from '../store/store.ts'
import { countText } from '../text.ts'
import { reachCollector, reachLocal, reachMetrics, reachPublic } from './reach.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { painted, printable, printFacts, table, withJson } from './terminal.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const OLD_BACKUP_MS = 7 * DAY_MS
const CLOCK_TOLERANCE_MS = 5000
/** The date of this release; a clock that is earlier is wrong. */
const RELEASED_AFTER = new Date('2026-11-01T00:00:00Z')
const COLOURS = { ok: 'green', advice: 'yellow', fail: 'red' } as const

export function doctorCommand(program: Command): void {
  withJson(withSettings(program.command('doctor'), SETTINGS))
    .description(
      'check settings, database, keys, backups and the running service; exit code 1 if something must be fixed',
    )
    .action(options => doctor(flagsOf(options), options))
}

async function doctor(flags: Flags, options: { json?: boolean }): Promise<void> {
  const config = configOrError(flags)
  const isValid = !(config instanceof OperatorError)
  const settings = shownSettings(flags, isValid ? config : undefined)
  const findings = isValid ? await examine(config) : [fail('settings', config.message)]
  await printFacts(options, { release: RELEASE, settings, findings }, () => report(settings, findings))
  const count = findings.filter(({ level }) => level === 'fail').length
  if (count > 0) throw new OperatorError(`${count} of ${findings.length} checks failed.`)
}

/** What `serve` checks before it listens, and what it cannot know. */
async function examine(config: Config): Promise<Finding[]> {
  const { environment, host, port, metricsPort, tracesUrl, processes } = config
  const baseUrl = config.baseUrls[environment]
  const [diagnosis, service, ...others] = await Promise.all([
    engineOf(config).diagnose(),
    port === 0 ? ok('service', 'PORT is 0, so its address is unknown') : reachLocal(config),
    ...(baseUrl === undefined ? [] : [reachPublic(baseUrl)]),
    ...Array.from({ length: metricsPort ? processes : 0 }, (_, index) =>
      reachMetrics(host, (metricsPort ?? 0) + index),
    ),
    ...(tracesUrl === undefined ? [] : [reachCollector(tracesUrl)]),
  ])
  const { findings, missing, keys, lastBackup, serverTime } = diagnosis
  return [
    settingsFinding(unknownVariables()),
    ...(missing ? [fail('animals', `${missing.message} "${commandName()} serve" creates a new one`)] : []),
    ...findings,
    clockFinding(serverTime, keys ?? []),
    ...(config.tls ? [certificateFinding(config)] : []),
    ...(keys === undefined ? [] : [keysFinding(keys, config)]),
    backupFinding(lastBackup),
    ...(config.rateLimit && processes > 1 ? [rateLimitFinding(processes)] : []),
    service,
    ...others,
  ]
}

const settingsFinding = (unknown: readonly string[]): Finding =>
  unknown.length === 0
    ? ok('settings', 'all valid')
    : fail('settings', `${unknown.map(printable).join(', ')}: no such setting. Is it misspelled?`)

/** Keys expire, and repeated requests are remembered, by this machine's clock. */
function clockFinding(serverTime: Date | undefined, keys: readonly KeyRecord[]): Finding {
  const now = new Date()
  const text = now.toISOString()
  if (now < RELEASED_AFTER) return fail('clock', `${text} is before this release. Set the clock (NTP)`)
  const times = keys.flatMap(({ createdAt, lastUsedAt }) => [createdAt, lastUsedAt ?? createdAt])
  if (times.some(time => time.getTime() > now.getTime() + CLOCK_TOLERANCE_MS))
    return fail('clock', `${text} is before the last use of a key: the clock went back. Set it (NTP)`)
  const offMs = serverTime === undefined ? 0 : Math.abs(serverTime.getTime() - now.getTime())
  return offMs > CLOCK_TOLERANCE_MS
    ? fail('clock', `${text} is ${Math.round(offMs / 1000)} s off the database server's. Set both (NTP)`)
    : ok('clock', text)
}

function certificateFinding(config: Config): Finding {
  try {
    START_CHECKS.certificate(config)
  } catch (error) {
    if (error instanceof OperatorError) return fail('certificate', error.message)
    throw error
  }
  const expiry = certificateExpiry(config) ?? new Date()
  const text = `${config.tls?.cert} is valid until ${expiry.toISOString()}`
  if (expiry <= new Date()) return fail('certificate', `${text}, so clients refuse it. Renew it and restart`)
  return expiry.getTime() < Date.now() + EXPIRES_SOON_MS
    ? advice('certificate', `${text}. Renew it and restart`)
    : ok('certificate', text)
}

function keysFinding(keys: readonly KeyRecord[], { apiKey, environment }: Config): Finding {
  const usable = keys.filter(isUsable)
  if (usable.length === 0 && apiKey === undefined)
    return fail(
      'API keys',
      `none is valid, so every request is refused. Create one: ${keyCommand(environment)}`,
    )
  const soon = usable.filter(
    ({ expiresAt }) => expiresAt && expiresAt.getTime() < Date.now() + EXPIRES_SOON_MS,
  )
  const configured = apiKey === undefined ? '' : ', and the one that is configured'
  const text = `${usable.length} of ${keys.length} valid${configured}`
  return soon.length === 0
    ? ok('API keys', text)
    : advice(
        'API keys',
        `${text}; ${countText(soon.length, 'key')} will expire within 14 days: ${commandName()} keys list`,
      )
}

const rateLimitFinding = (processes: number): Finding =>
  advice(
    'rate limit',
    `each of ${processes} processes counts its own requests, so a key with several connections may make more. Limit in the proxy, or set PETSTORE_PROCESSES to 1`,
  )

function backupFinding(last: Diagnosis['lastBackup']): Finding {
  if (last === undefined) return ok('backup', 'left to PostgreSQL: pg_dump, or point-in-time recovery')
  const how = `Run ${commandName()} backup FILE from a timer`
  if (last === 'none') return advice('backup', `none yet. ${how}`)
  const ageMs = Date.now() - last.at.getTime()
  const text = `${durationText(ageMs)} ago, ${last.file}`
  return ageMs > OLD_BACKUP_MS ? advice('backup', `${text}. ${how}`) : ok('backup', text)
}

function configOrError(flags: Flags): Config | OperatorError {
  try {
    return loadConfig(flags)
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

/** Every setting in a form that may be shown, valid or not. */
function shownSettings(flags: Flags, config: Config | undefined): ShownSetting[] {
  return (Object.entries(SETTINGS) as [SettingName, Setting][]).map(([name, row]) => {
    const { variable, flag } = row
    const { from, text } = givenFor(name, row, flags)
    const known = name === 'databaseUrl' ? config?.database.publicName : undefined
    const value = known ?? (from === 'file' ? '(secret)' : text)
    return {
      variable,
      value:
        value === undefined
          ? null
          : mayHoldSecret(row, value)
            ? '(secret)'
            : printable(withoutSecrets(value)),
      from: {
        flag: flag.split(' ')[0] ?? flag,
        file: fileVariable(variable),
        variable: 'variable',
        default: 'default',
      }[from],
    }
  })
}

/** Credentials, and whatever may be credentials in a form that is not understood. */
const mayHoldSecret = ({ isSecret, mayBeFile, schema }: Setting, value: string): boolean =>
  isSecret === true || (mayBeFile === true && !schema.safeParse(value).success)

function report(settings: readonly ShownSetting[], findings: readonly Finding[]): string {
  const head = `Petstore ${RELEASE} on Bun ${Bun.version}, ${process.platform} ${process.arch}\n\n`
  const rows = settings.map(({ variable, value, from }) => [variable, value ?? '(none)', from])
  const lines = findings.map(({ level, topic, text }) => [painted(COLOURS[level], level), topic, text])
  return `${head}${table(['SETTING', 'VALUE', 'FROM'], rows)}\n${table(['STATE', 'WHAT', 'FOUND'], lines)}`
}
