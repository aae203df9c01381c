import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { InvalidInput } from '../operator-error.ts'
import { bytesText, countText } from '../text.ts'
import { assertFolderOf, type Options, onDatabase, sayDatabase, withDatabase } from './database.ts'
import { print, printFacts, stopSignal, withJson } from './terminal.ts'

export function backupCommand(program: Command): void {
  withJson(withDatabase(program.command('backup')))
    .description('copy the SQLite database to a file, even while the service runs, and verify the copy')
    .argument('<file>', 'the file to write, or - for standard output')
    .option('--force', 'replace an existing file')
    .action((file, options) => (file === '-' ? backUpToPipe(options) : backUp(file, options)))
}

const backUp = (file: string, options: Options): Promise<void> =>
  onDatabase(options, async place => {
    // SQLite's copy cannot be interrupted: Ctrl-C waits for its end instead of leaving a draft behind.
    stopSignal()
    const { engine, environment, location: database } = place
    assertFolderOf(file)
    const report = await engine.backUp({ file, force: options.force === true })
    sayDatabase(options, place)
    const { animals, keys, bytes, durationMs } = report
    const facts = { file, environment, database, ...report, durationMs: Math.round(durationMs) }
    await printFacts(
      options,
      facts,
      () =>
        `Backed up ${countText(animals, 'animal')} and ${countText(keys, 'API key')} of ${environment} to ${file} ` +
        `(${bytesText(bytes)}, ${(durationMs / 1000).toFixed(1)} s, verified).\n`,
    )
  })

/** Verified before the first byte is printed; standard output gets the database and nothing else. */
async function backUpToPipe(options: Options): Promise<void> {
  if (process.stdout.isTTY || options.json === true)
    throw new InvalidInput('A backup to standard output needs a pipe or a file there, and takes no --json.')
  stopSignal()
  const folder = mkdtempSync(join(tmpdir(), 'petstore-backup-'))
  try {
    await onDatabase(options, async place => {
      const file = join(folder, 'backup.db')
      await place.engine.backUp({ file, force: false })
      sayDatabase(options, place)
      await print(Bun.file(file))
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
