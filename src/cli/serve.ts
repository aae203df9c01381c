import type { Command } from 'commander'
import { loadConfig } from '../config/load.ts'
import { PROCESS_INDEX_VARIABLE } from '../config/read.ts'
import { SETTINGS } from '../config/settings.ts'
import { Log, readableLine } from '../observability/log.ts'
import { checkStart, startWarnings } from '../service/prepare.ts'
import { serve } from '../service/serve.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { hasColour, note, print } from './terminal.ts'

export function serveCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('serve the API until SIGTERM, SIGINT or SIGHUP')
    .option('--check', 'do all that comes before listening, and exit')
    .option('--welcome', 'in a terminal, create the first API key and show how to use it')
  withSettings(command, SETTINGS).action(async options => {
    const config = loadConfig(flagsOf(options))
    if (options.check === true) {
      await checkStart(config)
      for (const warning of startWarnings(config)) note(readableLine(warning, 'warn', new Date(), false))
      await print(
        `The service could start: ${config.environment}, animals in ${config.database.publicName}.\n`,
      )
      return
    }
    const isTerminal = process.stdout.isTTY
    const log = new Log(Bun.stdout, {
      ...config.log,
      isTerminal,
      hasColour: hasColour(process.stdout),
      isShared: config.processes > 1,
    })
    const index = process.env[PROCESS_INDEX_VARIABLE]
    await serve(config, log, {
      // A key is shown only in a terminal: other output may be a log file, which is kept and which others read.
      isWelcome: options.welcome === true && isTerminal,
      processIndex: index === undefined ? undefined : Number(index),
    })
  })
}
