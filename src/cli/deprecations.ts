import type { Command } from 'commander'
import { STORE_SETTINGS } from '../config/setting-groups.ts'
import { type DeprecatedOperation, dayOf, deprecations } from '../contract/operations.ts'
import type { KeyRecord, Store } from '../store/store.ts'
import { dateText, stateOf } from './keys/text.ts'
import { withSettings } from './settings-options.ts'
import { printFacts, withJson } from './terminal/facts.ts'
import { printable } from './terminal/printable.ts'
import { table } from './terminal/table.ts'
import { withStore } from './with-store.ts'

interface Caller {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly calls: number
  readonly lastCallAt: Date
}

interface Report extends DeprecatedOperation {
  readonly daysRemaining: number
  readonly keys: readonly Caller[]
}

export function deprecationsCommand(program: Command): void {
  withJson(withSettings(program.command('deprecations'), STORE_SETTINGS))
    .description('show which API keys still call deprecated operations')
    .action(options =>
      withStore(options, async store => {
        const reports = await reportsOf(store, new Date())
        await printFacts(options, reports, () => text(reports))
      }),
    )
}

const DAY_MS = 24 * 60 * 60 * 1000

async function reportsOf(store: Store, now: Date): Promise<Report[]> {
  const calls = await store.deprecations.list()
  const keys = new Map((await store.keys.list()).map(key => [key.id, key]))
  return deprecations().map(deprecation => ({
    ...deprecation,
    daysRemaining: Math.max(0, Math.ceil((deprecation.sunset.getTime() - now.getTime()) / DAY_MS)),
    keys: calls
      .filter(({ operation }) => operation === deprecation.operation)
      .map(({ keyId, calls, lastAt }) => ({
        id: keyId,
        ...describe(keys.get(keyId)),
        calls,
        lastCallAt: lastAt,
      })),
  }))
}

/** A key that is not in the store is the configured one. */
const describe = (key: KeyRecord | undefined): Pick<Caller, 'name' | 'state'> =>
  key === undefined
    ? { name: 'PETSTORE_API_KEY', state: 'from the settings' }
    : { name: key.name, state: stateOf(key) }

const text = (reports: readonly Report[]): string => reports.map(section).join('\n')

function section({ operation, sunset, replacement, daysRemaining, keys }: Report): string {
  const days = `${daysRemaining} ${daysRemaining === 1 ? 'day remains' : 'days remain'}`
  const head = `${operation} will be removed on ${dayOf(sunset)}: ${days}. Its replacement: ${replacement}.\n`
  if (keys.length === 0) return `${head}No API key has called it.\n`
  const rows = keys.map(({ id, name, calls, lastCallAt, state }) => [
    id,
    printable(name),
    String(calls),
    dateText(lastCallAt),
    state,
  ])
  return `${head}\n${table(['KEY', 'NAME', 'CALLS', 'LAST CALL', 'STATE'], rows)}`
}
