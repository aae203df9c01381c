import type { Command } from 'commander'
import type { StoreConfig } from '../../config/load.ts'
import { STORE_SETTINGS } from '../../config/settings.ts'
import { InvalidInput } from '../../operator-error.ts'
import { engineOf } from '../../store/engines.ts'
import { readNdjson } from '../../transfer/formats/ndjson.ts'
import { gather } from '../../transfer/gather.ts'
import { atDatabase } from '../places/at-database.ts'
import { flagsOf, withSettings } from '../settings-options.ts'
import { confirm, withYes } from '../terminal/confirm.ts'
import { printFacts, withJson } from '../terminal/facts.ts'
import demoAnimals from './animals.ndjson' with { type: 'text' }

export function demoCommand(program: Command): void {
  withYes(withJson(withSettings(program.command('demo'), STORE_SETTINGS)))
    .description('fill an empty store with sample animals')
    .option('--anyway', 'add them even if there are animals already; they cannot be removed')
    .action(options => atDatabase(flagsOf(options), config => demo(config, options)))
}

async function demo(config: StoreConfig, options: Record<string, unknown>): Promise<void> {
  const engine = engineOf(config)
  if (config.environment === 'production')
    await confirm({
      warning: `This adds sample animals to production (${config.database.publicName}), and animals cannot be removed.`,
      yes: options.yes === true,
    })
  if (options.anyway !== true) {
    const store = await engine.open({ create: true })
    const { pets } = await store.listPets({ after: 0n, limit: 1, status: undefined })
    await store.close()
    if (pets.length > 0)
      throw new InvalidInput(
        'This store has animals already, and animals cannot be removed. --anyway adds the demo animals to them.',
      )
  }
  const stage = await engine.openStage(true)
  try {
    const { good } = await gather({
      entries: readNdjson(new Blob([demoAnimals]).stream()),
      stage,
      onBad: (line, problem) => {
        throw new Error(`Demo animal ${line}: ${problem}`)
      },
      onGood: () => {},
    })
    const range = await stage.publish()
    await printFacts(
      options,
      { added: good, firstId: range?.first, lastId: range?.last },
      () => `Added ${good} animals, identifiers ${range?.first} to ${range?.last}.\n`,
    )
  } finally {
    await stage.close()
  }
}
