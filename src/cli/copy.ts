import type { Command } from 'commander'
import { parseDatabaseUrl } from '../config/database-url.ts'
import { loadStoreConfig } from '../config/load.ts'
import { withCommas } from '../count-text.ts'
import { exitOf, InvalidInput, messageOf, OperatorError } from '../operator-error.ts'
import { type CopiedPart, copyStore, PartOfCopy } from '../store/copy.ts'
import { type Database, locationOf } from '../store/database.ts'
import { engineOf } from '../store/engines.ts'
import { type ConfiguredDatabase, withDatabase } from './database.ts'
import { flagsOf, type Options, withJson, withYes } from './options.ts'
import { abortSignal, confirm, printFacts, startProgress } from './terminal.ts'

export function copyCommand(program: Command): void {
  withYes(withJson(withDatabase(program.command('copy'))))
    .description(
      'copy animals, keys and remembered requests from or into the configured database, of either engine',
    )
    .option('--from <url>', 'database to copy, refused from then on; default: the configured one')
    .option('--to <url>', 'new file or empty database to copy into; default: the configured one')
    .option('--unmark [url]', 'make a database that a copy marked usable as it is; copies nothing')
    .action(options => (options.unmark === undefined ? copy(options) : unmark(options)))
}

/** The database that a flag specifies, or the configured one, whose password no other user of this machine can see. */
async function databaseOf(flag: 'from' | 'to' | 'unmark', options: Options) {
  const url = options[flag]
  const { environment, database: configured } = loadStoreConfig(flagsOf(options))
  const database = typeof url === 'string' ? parsed(flag, url) : configured
  const engine = await engineOf({ database, environment })
  return { environment, database, location: locationOf(database), engine }
}

function parsed(flag: string, url: string): Database {
  try {
    return parseDatabaseUrl(url)
  } catch (error) {
    throw new InvalidInput(`--${flag} ${messageOf(error)}.`)
  }
}

async function unmark(options: Options): Promise<void> {
  const { engine, location } = await databaseOf('unmark', options)
  const { failure } = await engine.diagnose()
  if (failure === undefined)
    return printFacts(options, { unmarked: null }, `${location} is not marked by a copy.\n`)
  if (!(failure instanceof PartOfCopy)) throw failure
  await confirm(
    `This makes ${location} usable as it is. If ${failure.mark.other} is used too, both give the same identifiers to different animals, and a key revoked in one stays valid in the other.`,
    options,
  )
  await engine.mark()
  await printFacts(options, { unmarked: location }, `${location} can be used again.\n`)
}

async function copy(options: Options): Promise<void> {
  if (options.from === undefined && options.to === undefined)
    throw new InvalidInput('--from or --to is missing. The other one defaults to the configured database.')
  const [from, to] = [await databaseOf('from', options), await databaseOf('to', options)]
  if (Bun.deepEquals(from.database, to.database))
    throw new InvalidInput('--from and --to are the same database.')
  const asOf = new Date()
  const copied = await copyBetween(from, to)
  const durationMs = Date.now() - asOf.getTime()
  const { environment } = from
  const facts = { from: from.location, to: to.location, environment, copied, asOf, durationMs }
  const rows = copied.map(({ table, rows }) => `${table} ${withCommas(rows)}`).join(', ')
  const text =
    `Copied ${facts.from} to ${facts.to}. Rows: ${rows}.\n` +
    'The target was read back; its checksums are those of the source.\n' +
    'The source is marked, so it is refused from now on. Use the copy.\n'
  await printFacts(options, facts, text)
}

async function copyBetween(from: ConfiguredDatabase, to: ConfiguredDatabase): Promise<CopiedPart[]> {
  const signal = abortSignal()
  const progress = startProgress('Copying and comparing, rows:')
  const onRows = (count: number): void => progress.advance(count)
  try {
    return await copyStore(from, to, { onRows, signal })
  } catch (cause) {
    if (cause instanceof OperatorError)
      throw new OperatorError(`The copy failed. ${cause.message}`, { cause, exit: cause.exit })
    throw new OperatorError(`The copy failed: ${messageOf(cause)}.`, { cause, exit: exitOf(cause) })
  } finally {
    progress.end()
  }
}
