import { isatty } from 'node:tty'
import { type Command, Option } from 'commander'
import { loadConfig } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import { Log } from '../observability/log.ts'
import { assertCanListen } from '../service/check-start.ts'
import { serve } from '../service/serve.ts'
import { NoDatabase } from '../store/errors.ts'
import { noDatabase } from './database.ts'
import { checkSetup, findingLine } from './doctor.ts'
import { flagsOf, type Options, withSettings } from './options.ts'
import { note, print } from './terminal.ts'

export function serveCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('serve the API until SIGTERM, SIGINT or SIGHUP')
    .option('--existing', 'fail if there is no database, instead of creating one')
    .option('--check', 'run all start-up checks, leave nothing behind, and exit')
    // For `npm start`: in a terminal, creates the first API key and shows how to use it.
    .addOption(new Option('--welcome').hideHelp())
  withSettings(command, SETTINGS).action(options =>
    options.check === true ? check(options) : serveUntilStopped(options),
  )
}

async function check(options: Options): Promise<void> {
  const config = loadConfig(flagsOf(options))
  const { environment, database } = config
  await assertCanListen(config)
  const { findings, failure } = await checkSetup(config)
  if (failure instanceof NoDatabase && options.existing === true) throw noDatabase(failure, environment)
  // A start creates a missing database.
  if (failure && !(failure instanceof NoDatabase)) throw failure
  for (const finding of findings) if (finding.level !== 'ok') note(findingLine(finding))
  await print(`The service can start: ${environment}, animals in ${database.publicName}.\n`)
}

async function serveUntilStopped(options: Options): Promise<void> {
  const config = loadConfig(flagsOf(options))
  const isTerminal = isatty(1)
  const log = new Log(Bun.stdout, { level: config.logLevel, format: isTerminal ? 'readable' : 'json' })
  // A key is shown only in a terminal, because a log file is kept and others may read it.
  const how = { isWelcome: options.welcome === true && isTerminal, create: options.existing !== true }
  await serve(config, log, how).catch((error: unknown) => {
    throw error instanceof NoDatabase ? noDatabase(error, config.environment) : error
  })
}
