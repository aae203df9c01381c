import type { Command } from 'commander'
import { STORE_SETTINGS } from '../config/settings.ts'
import { engineOf } from '../store/engines.ts'
import { bytesText, countText } from '../text/amounts.ts'
import { atDatabase } from './places/at-database.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { printFacts, withJson } from './terminal/facts.ts'

export function backupCommand(program: Command): void {
  withJson(withSettings(program.command('backup'), STORE_SETTINGS))
    .description('copy the SQLite database to a file, even while the service runs, and verify the copy')
    .argument('<file>', 'the file to write')
    .option('--force', 'replace an existing file')
    .action((file, options) => backup(file, options))
}

async function backup(file: string, options: Record<string, unknown>): Promise<void> {
  await atDatabase(flagsOf(options), async config => {
    const { environment } = config
    const report = await engineOf(config).backUp({ file, force: options.force === true })
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
