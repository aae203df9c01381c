import type { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { backUpStore } from '../store/open.ts'
import { bytesText, countText } from './amounts.ts'
import { flagsOf, withSettings } from './settings-options.ts'

export function backupCommand(program: Command): void {
  withSettings(program.command('backup'), ['environment', 'databaseUrl'])
    .description('copy the SQLite database to a file, also while the service runs, and verify the copy')
    .argument('<file>', 'the file to write')
    .option('--force', 'replace the file if it is there already')
    .action((file, options) => backup(file, options))
}

async function backup(file: string, options: Record<string, unknown>): Promise<void> {
  const { databaseUrl, environment } = loadConfig(flagsOf(options))
  const { animals, keys, bytes, durationMs } = await backUpStore(databaseUrl, environment, {
    file,
    force: options.force === true,
  })
  process.stdout.write(
    `Backed up ${countText(animals, 'animal')} and ${countText(keys, 'API key')} of ${environment} to ${file} ` +
      `(${bytesText(bytes)}, ${(durationMs / 1000).toFixed(1)} s, verified).\n`,
  )
}
