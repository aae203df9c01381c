import type { Command } from 'commander'
import { backUpStore } from '../store/open.ts'
import { atDatabase } from './places/at-database.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { bytesText, countText } from './terminal/amounts.ts'
import { printFacts, withJson } from './terminal/facts.ts'

export function backupCommand(program: Command): void {
  withJson(withSettings(program.command('backup'), ['environment', 'databaseUrl']))
    .description('copy the SQLite database to a file, also while the service runs, and verify the copy')
    .argument('<file>', 'the file to write')
    .option('--force', 'replace the file if it is there already')
    .action((file, options) => backup(file, options))
}

async function backup(file: string, options: Record<string, unknown>): Promise<void> {
  await atDatabase(flagsOf(options), async ({ databaseUrl, environment }) => {
    const report = await backUpStore(databaseUrl, environment, { file, force: options.force === true })
    const { animals, keys, bytes, durationMs } = report
    await printFacts(
      options,
      { file, environment, ...report, durationMs: Math.round(durationMs) },
      () =>
        `Backed up ${countText(animals, 'animal')} and ${countText(keys, 'API key')} of ${environment} to ${file} ` +
        `(${bytesText(bytes)}, ${(durationMs / 1000).toFixed(1)} s, verified).\n`,
    )
  })
}
