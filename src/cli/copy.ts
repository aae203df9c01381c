import type { Command } from 'commander'
import { parseDatabaseUrl } from '../config/database-url.ts'
import { loadStoreConfig } from '../config/load.ts'
import { InvalidInput, messageOf, OperatorError } from '../operator-error.ts'
import { type CopiedPart, MOVED_AT, MOVED_TO } from '../store/copy.ts'
import { type Database, locationOf } from '../store/database.ts'
import type { Engine } from '../store/engine.ts'
import { engineOf } from '../store/engines.ts'
import { DatabaseMoved } from '../store/errors.ts'
import { withCommas } from '../text.ts'
import { withDatabase } from './database.ts'
import { flagsOf, type Options, withJson, withYes } from './options.ts'
import { abortSignal, confirm, printFacts, startProgress } from './terminal.ts'

export function copyCommand(program: Command): void {
  withYes(withJson(withDatabase(program.command('copy'))))
    .description(
      'copy animals, keys and remembered requests from or into the configured database, of either engine',
    )
    .option('--from <url>', 'database to copy, refused from then on; default: the configured one')
    .option('--to <url>', 'new file or empty database to copy into; default: the configured one')
    .option('--unmark [url]', 'use a copied database again, instead of its copy; copies nothing')
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
  try {
    await engine.check()
    await printFacts(options, { unmarked: null }, `${location} is not marked as copied.\n`)
  } catch (error) {
    if (!(error instanceof DatabaseMoved)) throw error
    await confirm(
      `This makes ${error.url} usable again. If ${error.newLocation} is used too, both give the same identifiers to different animals, and a key revoked in one stays valid in the other.`,
      options,
    )
    await engine.mark({})
    await printFacts(options, { unmarked: location }, `${location} can be used again.\n`)
  }
}

async function copy(options: Options): Promise<void> {
  if (options.from === undefined && options.to === undefined)
    throw new InvalidInput('--from or --to is missing. The other one defaults to the configured database.')
  const [from, to] = [await databaseOf('from', options), await databaseOf('to', options)]
  const asOf = new Date()
  const copied = await copyBetween(from.engine, to)
  const completed = { [MOVED_TO]: to.location, [MOVED_AT]: new Date().toISOString() }
  await from.engine.mark(completed).catch((cause: unknown) => {
    const message = `${to.location} is a complete copy, but the source could not be marked so: ${messageOf(cause)}`
    throw new OperatorError(message, { cause })
  })
  const durationMs = Date.now() - asOf.getTime()
  const { environment } = from
  const facts = { from: from.location, to: to.location, environment, copied, asOf, durationMs }
  const rows = copied.map(({ table, rows }) => `${table} ${withCommas(rows)}`).join(', ')
  const text =
    `Copied ${facts.from} to ${facts.to}. Rows: ${rows}.\n` +
    'The target was read back; its checksums are those of the source.\n' +
    'The source is marked as moved: it is refused from now on. Use the copy.\n'
  await printFacts(options, facts, text)
}

async function copyBetween(from: Engine, to: { engine: Engine; location: string }): Promise<CopiedPart[]> {
  const signal = abortSignal()
  const progress = startProgress('Copying and comparing, rows:')
  const onRows = (count: number): void => progress.advance(count)
  try {
    return await from.copyFrom(to.location, source => to.engine.copyInto(source, { onRows, signal }))
  } catch (cause) {
    const exit = cause instanceof OperatorError ? cause.exit : 'failed'
    throw new OperatorError(`Nothing was copied. ${messageOf(cause)}`, { cause, exit })
  } finally {
    progress.end()
  }
}
