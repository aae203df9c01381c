import { type Command, Option } from 'commander'
import { type Config, loadConfig } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import { type Log, openLog } from '../observability/logger.ts'
import { serveAlone } from '../service/alone.ts'
import { refuseCoreDumps } from '../service/core-dumps.ts'
import { serveAmongOthers } from '../service/processes/among-others.ts'
import { INSTANCE_FLAG } from '../service/processes/child.ts'
import { supervise } from '../service/processes/supervise.ts'
import type { Sharing } from '../store/engine.ts'
import { checkSettings } from './check-settings.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { hasColour } from './terminal.ts'

export function serveCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('serve the API until SIGTERM, SIGINT or SIGHUP')
    .option('--check', 'check settings and database, and exit without starting')
    .option('--welcome', 'create the first API key if there is none, and show how to use it')
    // Given by a supervisor to the processes that it starts.
    .addOption(new Option(`${INSTANCE_FLAG} [socket-and-mark...]`).hideHelp())
  withSettings(command, SETTINGS).action(options => {
    const config = loadConfig(flagsOf(options))
    if (options.check === true) return checkSettings(config)
    refuseCoreDumps()
    const log = openStandardLog(config)
    if (options.instance !== undefined) return serveAmongOthers(config, log, sharingOf(options.instance))
    const isWelcome = options.welcome === true
    return config.processes > 1 ? supervise(config, log, isWelcome) : serveAlone(config, log, isWelcome)
  })
}

/** A list if values follow the flag. */
function sharingOf(instance: unknown): Sharing | undefined {
  if (!Array.isArray(instance)) return undefined
  const [socket, mark] = instance.map(String) as [string, string]
  return { socket, mark }
}

function openStandardLog({ log: { level, format }, processes }: Config): Log {
  const isReadable = format === 'auto' ? process.stdout.isTTY : format === 'readable'
  return openLog(Bun.stdout, {
    format: isReadable ? 'readable' : 'json',
    level,
    hasColour: hasColour(process.stdout),
    isShared: processes > 1,
  })
}
