import { commandName } from '../../command-name.ts'
import { durationText } from '../../config/duration.ts'
import type { BackupPlan, Config } from '../../config/load.ts'
import { isUsable, keyCommand } from '../../keys/create.ts'
import { advice, type Diagnosis, type Finding, fail, ok } from '../../store/diagnosis.ts'
import type { KeyRecord } from '../../store/store.ts'
import { countText } from '../../text/amounts.ts'
import { printable } from '../terminal.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const EXPIRES_SOON_MS = 14 * DAY_MS
const OLD_BACKUP_MS = 7 * DAY_MS
const CLOCK_TOLERANCE_MS = 5000
/** The date of this release; a clock that is earlier is wrong. */
const RELEASED_AFTER = new Date('2026-11-01T00:00:00Z')

/** A misspelled variable is not an error, because it may belong to another program; it is ignored. */
export const settingsFinding = (unknown: readonly string[]): Finding =>
  unknown.length === 0
    ? ok('settings', 'all valid')
    : advice(
        'settings',
        `all valid, but ${unknown.map(printable).join(', ')} is not a setting. Is it misspelled?`,
      )

/** Keys expire, and repeats of requests are recognised, by this machine's clock. */
export function clockFinding(serverTime: Date | undefined, keys: readonly KeyRecord[]): Finding {
  const now = new Date()
  const text = now.toISOString()
  if (now < RELEASED_AFTER) return fail('clock', `${text} is before this release. Set the clock (NTP)`)
  const times = keys.flatMap(({ createdAt, lastUsedAt }) => [createdAt, lastUsedAt ?? createdAt])
  if (times.some(time => time.getTime() > now.getTime() + CLOCK_TOLERANCE_MS))
    return fail('clock', `${text} is before the last use of a key: the clock went back. Set it (NTP)`)
  const differenceMs = serverTime === undefined ? 0 : Math.abs(serverTime.getTime() - now.getTime())
  return differenceMs > CLOCK_TOLERANCE_MS
    ? fail(
        'clock',
        `${text} is ${Math.round(differenceMs / 1000)} s off the database server's. Set both (NTP)`,
      )
    : ok('clock', text)
}

export function keysFinding(keys: readonly KeyRecord[], { apiKey, environment }: Config): Finding {
  const now = Date.now()
  const inForce = keys.filter(isUsable)
  const configured = apiKey === undefined ? '' : ', and the one that is configured'
  if (inForce.length === 0 && apiKey === undefined)
    return fail(
      'API keys',
      `none is valid, so every request is refused. Create one: ${keyCommand(environment)}`,
    )
  const soon = inForce.filter(({ expiresAt }) => expiresAt && expiresAt.getTime() < now + EXPIRES_SOON_MS)
  const text = `${inForce.length} of ${keys.length} valid${configured}`
  return soon.length === 0
    ? ok('API keys', text)
    : advice(
        'API keys',
        `${text}; ${countText(soon.length, 'key')} will expire within 14 days: ${commandName()} keys list`,
      )
}

export const rateLimitFinding = (processes: number): Finding =>
  advice(
    'rate limit',
    `each of ${processes} processes counts its own requests, so a key with several connections may make more. Limit in the proxy, or set PETSTORE_PROCESSES to 1`,
  )

export function backupFinding(last: Diagnosis['lastBackup'], plan: BackupPlan | undefined): Finding {
  if (last === undefined) return ok('backup', 'left to PostgreSQL: pg_dump, or point-in-time recovery')
  const how = `Run ${commandName()} backup FILE, or set PETSTORE_BACKUP_EVERY`
  if (last === 'none')
    return plan
      ? ok('backup', `none yet; the service makes them in ${plan.folder}`)
      : advice('backup', `none yet. ${how}`)
  const ageMs = Date.now() - last.at.getTime()
  const text = `${durationText(ageMs)} ago, ${last.file}`
  if (plan && ageMs > 2 * plan.everyMs)
    return fail('backup', `overdue: the last was ${text}. See the service's log for "making a backup"`)
  return !plan && ageMs > OLD_BACKUP_MS ? advice('backup', `${text}. ${how}`) : ok('backup', text)
}
