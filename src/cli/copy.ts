import type { Command } from 'commander'
import { databaseUrl } from '../config/database-url.ts'
import { loadEnvironment } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import { InvalidInput, messageOf, OperatorError } from '../operator-error.ts'
import { type Database, locationOf } from '../store/database.ts'
import { engineOf } from '../store/engines.ts'
import { withCommas } from '../text.ts'
import { type CopiedPart, copyStore } from '../transfer/copy.ts'
import type { Options } from './database.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { note, Progress, printFacts, stopSignal, table, withJson } from './terminal.ts'

export function copyCommand(program: Command): void {
  withJson(withSettings(program.command('copy'), { environment: SETTINGS.environment }))
    .description('copy animals, keys and remembered requests into an empty database of either engine')
    .option('--from <url>', 'database to copy, sqlite:<path> or postgres://…; refused from then on')
    .option('--to <url>', 'empty database to copy into: sqlite:<path> or postgres://…')
    .option('--keep', 'leave the source in use')
    .option('--unmark <url>', 'copy nothing; let a database be used again that was copied')
    .action(options => (options.unmark === undefined ? copy(options) : unmark(options)))
}

async function unmark(options: Options): Promise<void> {
  const database = databaseOf('--unmark', String(options.unmark))
  await engineOf({ database, environment: loadEnvironment(flagsOf(options)) }).markMoved(undefined)
  const facts = { unmarked: locationOf(database) }
  await printFacts(options, facts, () => `${facts.unmarked} can be used again.\n`)
}

async function copy(options: Options & { from?: string; to?: string }): Promise<void> {
  const environment = loadEnvironment(flagsOf(options))
  const from = databaseOf('--from', options.from)
  const to = databaseOf('--to', options.to)
  const [source, target] = [locationOf(from), locationOf(to)]
  if (isSame(from, to)) throw new InvalidInput('--from and --to name the same database.')
  const asOf = new Date()
  const copied = await copyBetween({ database: from, environment }, { database: to, environment })
  const isKept = options.keep === true
  if (!isKept)
    await engineOf({ database: from, environment })
      .markMoved(target)
      .catch(error => note(`petstore: The copy is complete, but ${messageOf(error)}`))
  const durationMs = Date.now() - asOf.getTime()
  const facts = { from: source, to: target, environment, copied, asOf, durationMs }
  await printFacts(options, facts, () =>
    [
      `Copied ${source} to ${target} in ${(durationMs / 1000).toFixed(1)} s.`,
      'The target was read back; its counts and checksums are those of the source:',
      summary(copied),
      `Changes to the source after ${asOf.toISOString()} are not in the copy.`,
      ...(isKept
        ? []
        : ['The source is marked as moved: no service or command uses it any more (--unmark).']),
      '',
    ].join('\n'),
  )
}

/** One PostgreSQL database may hold several stores, each in its schema. */
const isSame = (one: Database, other: Database): boolean =>
  one.engine === 'postgres' && other.engine === 'postgres'
    ? one.url === other.url && one.schema === other.schema
    : locationOf(one) === locationOf(other)

const summary = (copied: readonly CopiedPart[]): string =>
  table(
    ['TABLE', 'ROWS', 'SHA-256'],
    copied.map(({ table, rows, checksum }) => [table, withCommas(rows), checksum]),
  ).trimEnd()

type Place = Parameters<typeof engineOf>[0]

async function copyBetween(from: Place, to: Place): Promise<CopiedPart[]> {
  const signal = stopSignal()
  const source = await engineOf(from).openCopySource()
  try {
    const target = await engineOf(to).openCopyTarget()
    const progress = new Progress('Copying and comparing, rows:', undefined)
    try {
      return await copyStore({ source, target, onRows: count => progress.advance(count), signal })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const exit = error instanceof OperatorError ? error.exit : 'failed'
      throw new OperatorError(`Nothing was copied. ${error.message}`, { cause: error, exit })
    } finally {
      progress.end()
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function databaseOf(flag: string, url: string | undefined): Database {
  if (url === undefined) throw new InvalidInput(`${flag} is missing: a copy needs --from and --to.`)
  const { data, error } = databaseUrl.safeParse(url)
  if (data !== undefined) return data
  throw new InvalidInput(`${flag} ${error?.issues[0]?.message}.`)
}
