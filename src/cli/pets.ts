import { isatty } from 'node:tty'
import { type Command, Option } from 'commander'
import { type Pet, PetstoreError, stringifyPet } from '../../client/src/index.ts'
import { commandName, shellWord } from '../command-name.ts'
import { CLIENT_SETTINGS } from '../config/settings.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../contract/limits.ts'
import { dayOf, OPERATIONS } from '../contract/operations.ts'
import { PET_STATUSES, type PetStatus } from '../contract/pet.ts'
import { printable } from '../observability/log.ts'
import { InvalidInput } from '../operator-error.ts'
import { clientConfig, operatorErrorOf, withClient } from './client.ts'
import { int64, type Options, withJson, withSettings, withYes } from './options.ts'
import { exportPets, importPets } from './pets-files.ts'
import { abortSignal, note, print, refuseNoOutput, showing, table } from './terminal.ts'

const GET_ENDS = dayOf(OPERATIONS.getPet.deprecated.sunset)

/** These commands use the API over HTTP, like any other client. */
export function petsCommand(program: Command): void {
  const pets = program.command('pets').description('list, get, add, import and export animals, over HTTP')
  const command = (name: string): Command => withSettings(pets.command(name), CLIENT_SETTINGS)
  const lines = (command: Command): Command =>
    command.option('--json', 'one JSON object per line, as in a pipe')

  lines(command('list'))
    .description('list animals in the order of their identifiers')
    .addOption(status('only animals with this status'))
    .option('--limit <number>', `at most this many, up to ${LIMIT_MAX}; default ${LIMIT_DEFAULT}`, Number)
    .option('--all', 'all animals; --limit then sets the page size')
    .action(showing(list))

  lines(command('get'))
    .description(`get one animal (deprecated, scheduled for removal on ${GET_ENDS})`)
    .argument('<id>', 'its identifier', int64)
    .action(
      showing((id: bigint, options: Options) =>
        withClient(options, async ({ pets }) => printPets([await pets.get(id)], options)),
      ),
    )

  lines(command('add'))
    .description('add an animal and show it')
    .argument('<name>', 'its name')
    .requiredOption('--category-id <id>', 'the category it belongs to; required', int64)
    .addOption(status('its status; default available'))
    .option('--idempotency-key <key>', 'adds it only once, even if you run the command again within 24 hours')
    .action(add)

  withYes(withJson(command('import')))
    .description(
      'add the animals in a CSV or NDJSON file, except rows that have an id or were added with the same API key in the last 24 hours',
    )
    .argument('<file>', 'the file, or - for standard input; at most 32 MiB')
    .option('--dry-run', 'only check the file')
    .option('--lines <lines>', 'only these lines, such as 2-3,7 or 2-, even those with an id')
    .option('--again', 'with --lines: add these lines even if they were added in the last 24 hours')
    .option('--idempotency-key <key>', 'with --lines: continue an import that printed this key')
    .action(importPets)

  command('export')
    .description('write all animals to a file or a pipe')
    .argument('[file]', 'the file (.csv or .ndjson), or - for NDJSON on standard output', '-')
    .option('--force', 'replace an existing file')
    .option(
      '--spreadsheet-safe',
      "CSV: with a byte order mark, and ' before names that would run as a formula",
    )
    .action(
      showing(async (file, options) => {
        if (file === '-') refuseNoOutput()
        await exportPets(file, options)
      }),
    )
}

const list = (options: Options & { status?: PetStatus; limit?: number }): Promise<void> =>
  withClient(options, async ({ pets }) => {
    const { status, limit } = options
    const animals = pets.list({ status, limit })
    if (options.all === true) return printPets(animals, options)
    const page = await animals
    await printPets(page.items, options)
    if (page.hasNext && process.stderr.isTTY) note('There are more animals; --all lists all of them.')
  })

type AddOptions = Options & { categoryId: bigint; status?: PetStatus; idempotencyKey?: string }

const add = (name: string, options: AddOptions): Promise<void> =>
  withClient(options, async ({ pets }) => {
    const { categoryId, status, idempotencyKey } = options
    if (name === '-') throw new InvalidInput('add takes a name. To read standard input: pets import -')
    const created = pets.create({ name, categoryId, status }, { idempotencyKey, signal: abortSignal() })
    await printPets([await created.catch(error => giveUp(error, options))], options)
  })

/** If the animal may have been added, hands over the idempotency key and the command that adds it only once. */
async function giveUp(error: unknown, options: Options): Promise<never> {
  if (!(error instanceof PetstoreError) || !error.outcomeUnknown) throw error
  const { idempotencyKey = '' } = error
  if (options.json === true) await print(`${JSON.stringify({ mayBeAdded: true, idempotencyKey })}\n`)
  const given = process.argv.slice(2)
  const words = given.toSpliced(given.indexOf('add') + 1, 0, '--idempotency-key', idempotencyKey)
  const command = words.map(shellWord).join(' ').replaceAll(clientConfig(options).apiKey, '$PETSTORE_API_KEY')
  const advice = 'The animal may have been added. To add it only once, run this within 24 hours:'
  throw operatorErrorOf(error, ` ${advice}\n${commandName()} ${printable(command)}`)
}

/** A table in a terminal; in a pipe or with --json, one JSON object per line, as the animals arrive. */
async function printPets(pets: Iterable<Pet> | AsyncIterable<Pet>, { json }: Options): Promise<void> {
  const isTable = isatty(1) && json !== true
  const rows: string[][] = []
  const lines: string[] = []
  for await (const pet of pets) {
    if (isTable)
      rows.push([String(pet.id), printable(pet.name), String(pet.categoryId), printable(pet.status ?? '')])
    else if (lines.push(`${stringifyPet(pet)}\n`) >= LIMIT_MAX) await print(lines.splice(0).join(''))
  }
  await print(isTable ? table(['ID', 'NAME', 'CATEGORY', 'STATUS'], rows) : lines.join(''))
}

const status = (about: string): Option => new Option('--status <status>', about).choices(PET_STATUSES)
