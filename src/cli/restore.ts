import { type Command, InvalidArgumentError } from 'commander'
import { commandName } from '../command-name.ts'
import { parseInt64 } from '../contract/int64.ts'
import type { RestoreReport } from '../store/backup.ts'
import { countText } from '../text.ts'
import { type Options, onDatabase, sayDatabase, withDatabase } from './database.ts'
import { printFacts, stopSignal, withJson } from './terminal.ts'

export function restoreCommand(program: Command): void {
  withJson(withDatabase(program.command('restore')))
    .description('replace the SQLite database with a backup; the service must be stopped')
    .argument('<file>', 'the backup')
    .option('--force', 'replace a database that is not empty; it is kept under another name')
    .option('--next-id <id>', 'assign no identifier below this one', identifier)
    .action(restore)
}

const restore = (file: string, options: Options & { nextId?: bigint }): Promise<void> =>
  onDatabase(options, async place => {
    const { engine, environment, location: database } = place
    const { nextId } = options
    // Complete or not at all: Ctrl-C waits for the end.
    stopSignal()
    const report = await engine.restore({ file, force: options.force === true, nextId })
    sayDatabase(options, place)
    await printFacts(
      options,
      { file, environment, database, ...report },
      () => `${sentences(report, environment, nextId !== undefined).join('\n')}\n`,
    )
  })

function sentences(report: RestoreReport, environment: string, hasNextId: boolean): string[] {
  const { animals, keys, lastId, kept, knowsWhatCameAfter, revokedAgain } = report
  const lines = [
    `Restored ${countText(animals, 'animal')} and ${countText(keys, 'API key')} of ${environment}.`,
    `The next animal gets an identifier above ${lastId}.`,
  ]
  if (kept !== undefined) lines.push(`The previous database is kept as ${kept}.`)
  if (revokedAgain > 0)
    lines.push(`${countText(revokedAgain, 'API key')} revoked after the backup stayed revoked.`)
  if (!knowsWhatCameAfter)
    lines.push(
      `What happened after the backup is unknown:${hasNextId ? '' : ' identifiers assigned since may be assigned again (--next-id),'}`,
      `${hasNextId ? '' : 'and '}keys revoked since are valid again (${commandName()} keys list).`,
    )
  return lines
}

function identifier(text: string): bigint {
  const id = parseInt64(text)
  if (id === undefined || id < 1n) throw new InvalidArgumentError('It must be a positive int64.')
  return id
}
