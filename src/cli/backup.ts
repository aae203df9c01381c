import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { type Command, InvalidArgumentError } from 'commander'
import { commandIn } from '../command-name.ts'
import type { Environment } from '../contract/servers.ts'
import { countText } from '../count-text.ts'
import { printable } from '../observability/log.ts'
import { InvalidInput, OperatorError, plainReason } from '../operator-error.ts'
import type { BackupReport, RestoreReport } from '../store/engine.ts'
import { onDatabase, sayDatabase, withDatabase } from './database.ts'
import { int64, type Options, withJson } from './options.ts'
import { holdSignals, note, print, printFacts, refuseNoOutput } from './terminal.ts'

export function backupCommand(program: Command): void {
  withJson(withDatabase(program.command('backup')))
    .description('copy the SQLite database to a file, even while the service runs, and verify the copy')
    .argument('<file>', 'the file to write, or - for standard output')
    .option('--force', 'replace an existing file')
    .action((file, options) => (file === '-' ? backUpToPipe(options) : backUp(file, options)))
}

export function restoreCommand(program: Command): void {
  withJson(withDatabase(program.command('restore')))
    .description('replace the SQLite database with a backup; the service must be stopped')
    .argument('<file>', 'the backup')
    .option('--force', 'replace a database that is not empty; it is kept under another name')
    .option('--next-id <id>', 'assign no identifier below this one; at most 2^62', nextId)
    .action(restore)
}

/** At most half of all identifiers, so that the other half is left for later animals. */
function nextId(text: string): bigint {
  const id = int64(text)
  if (id >= 1n && id <= 2n ** 62n) return id
  throw new InvalidArgumentError(`It must be from 1 to ${2n ** 62n}.`)
}

const backUp = (file: string, options: Options): Promise<void> =>
  onDatabase(options, async configured => {
    // SQLite's copy cannot be interrupted, so Ctrl-C waits for its end instead of leaving a draft.
    holdSignals()
    const { engine, environment, location: database } = configured
    const report = await engine.backUp({ file, force: options.force === true })
    // The backup is valid even if this fails: the database may be read-only for this user, or its disk full.
    await engine
      .recordBackup()
      .catch(error => note(`The backup's time could not be recorded: ${plainReason(error)}. It is complete.`))
    sayDatabase(options, configured)
    const facts = { file, environment, database, ...report, durationMs: Math.round(report.durationMs) }
    const text = `Backed up ${contents(report)} of ${environment} to ${file} and verified it.\n`
    await printFacts(options, facts, text)
  })

/**
 * Verifies the backup before it prints the first byte. Standard output gets the database and nothing else. It is not recorded,
 * because only the reader of the pipe knows whether it was kept.
 */
async function backUpToPipe(options: Options): Promise<void> {
  refuseNoOutput()
  if (isatty(1) || options.json === true)
    throw new InvalidInput('A backup to standard output must go to a pipe or a file, without --json.')
  holdSignals()
  const folder = mkdtempSync(join(tmpdir(), 'petstore-backup-'))
  try {
    await onDatabase(options, async configured => {
      const file = join(folder, 'backup.db')
      await configured.engine.backUp({ file, force: false })
      sayDatabase(options, configured)
      await printWhole(file)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints in pieces, because the runtime gives up on a file whose reader is slower than the disk. A closed pipe is a failure. */
async function printWhole(file: string): Promise<void> {
  try {
    for await (const piece of Bun.file(file).stream()) await print(piece)
  } catch (cause) {
    throw new OperatorError('The backup could not be written completely to standard output.', { cause })
  }
}

const restore = (file: string, options: Options & { nextId?: bigint }): Promise<void> =>
  onDatabase(options, async configured => {
    if (file === '-') throw new InvalidInput('A backup must be a file. Save standard input to one first.')
    // A restore is all or nothing, so Ctrl-C waits for its end.
    holdSignals()
    const { engine, environment, location: database } = configured
    const report = await engine.restore({ file, force: options.force === true, nextId: options.nextId })
    sayDatabase(options, configured)
    const facts = { file, environment, database, ...report }
    await printFacts(options, facts, restoredText(report, environment, options.nextId))
  })

export function restoredText(report: RestoreReport, environment: Environment, nextId?: bigint): string {
  const { lastId, kept, knowsWhatCameAfter, mayLackWal, revokedAgain, droppedKeys } = report
  const lines = [
    `Restored ${contents(report)} of ${environment}. The next animal gets an identifier above ${lastId}.`,
  ]
  if (mayLackWal)
    lines.push(
      'The file is a copy, not a backup: animals that were in a write-ahead log beside it may be missing.',
    )
  if (kept) lines.push(`The previous database is kept as ${kept}.`)
  if (revokedAgain > 0)
    lines.push(`${countText(revokedAgain, 'key')} revoked after the backup stayed revoked.`)
  for (const { id, name } of droppedKeys)
    lines.push(`${id} "${printable(name)}" was created after the backup, so it is not valid any more.`)
  if (!knowsWhatCameAfter && nextId === undefined)
    lines.push('Identifiers that were assigned after the backup may be assigned again (--next-id).')
  if (!knowsWhatCameAfter)
    lines.push(
      `Keys that were revoked after the backup are valid again, and those created after it are not (${commandIn(environment, 'keys list')}).`,
    )
  return `${lines.join('\n')}\n`
}

const contents = ({ animals, keys }: BackupReport | RestoreReport): string =>
  `${countText(animals, 'animal')} and ${countText(keys, 'API key')}`
