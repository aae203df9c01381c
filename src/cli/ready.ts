import type { Command } from 'commander'
import { loadAddress } from '../config/load.ts'
import { ADDRESS_SETTINGS } from '../config/settings.ts'
import { OperatorError } from '../operator-error.ts'
import { asSentence } from '../text.ts'
import { reachLocal } from './reach.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { printFacts, withJson } from './terminal.ts'

/** For health checks of containers, which have no curl. */
export function readyCommand(program: Command): void {
  withJson(withSettings(program.command('ready'), ADDRESS_SETTINGS))
    .description('ask the service on this machine whether it is ready; exit code 5 if not')
    .action(async options => {
      const { level, text } = await reachLocal(loadAddress(flagsOf(options)))
      const isReady = level === 'ok'
      if (isReady || options.json === true)
        await printFacts(options, { ready: isReady, found: text }, () => `${text}\n`)
      if (!isReady) throw new OperatorError(asSentence(text), { exit: 'unavailable' })
    })
}
