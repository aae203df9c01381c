import type { Command } from 'commander'
import { readNewPet } from '../contract/pet.ts'
import { InvalidInput } from '../operator-error.ts'
import { readPetFile } from '../transfer/pet-file.ts'
import { withDatabase, withStore } from './database.ts'
import demoAnimals from './demo-animals.txt' with { type: 'text' }
import { type Options, withJson, withYes } from './options.ts'
import { confirm, printFacts } from './terminal.ts'

export function demoCommand(program: Command): void {
  withYes(withJson(withDatabase(program.command('demo'))))
    .description('fill an empty store with sample animals')
    .action(demo)
}

/** Writes directly to the store, so that nobody needs a key to try it out. */
const demo = (options: Options): Promise<void> =>
  withStore(options, async (store, { environment, location: database }) => {
    const { lastId } = await store.listPets({ after: 0n, limit: 1, status: undefined })
    if (lastId !== undefined)
      throw new InvalidInput(
        'This store already has animals. Sample animals are only added to an empty store.',
      )
    if (environment === 'production')
      await confirm(`This adds sample animals to production (${database}) permanently.`, options)
    const { good: samples, bad } = readPetFile(Buffer.from(demoAnimals), 'animals.ndjson', readNewPet)
    if (bad.length > 0) throw new Error('The sample animals of this release are invalid')
    for (const { pet } of samples) await store.addPet({ pet, idempotency: undefined })
    await printFacts(options, { added: samples.length, database }, `Added ${samples.length} animals.\n`)
  })
