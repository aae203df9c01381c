import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Pet, PetStatus, Petstore } from '../../../client/src/index.ts'
import { loadClientConfig } from '../../config/load.ts'
import { CLIENT_SETTINGS } from '../../config/settings.ts'
import { parseInt64 } from '../../contract/int64.ts'
import { LIMIT_DEFAULT, LIMIT_MAX, LIMIT_MIN } from '../../contract/limits.ts'
import { PET_STATUSES } from '../../contract/pet.ts'
import { flagsOf, withSettings } from '../settings-options.ts'
import { clientWith } from './client.ts'
import { exportCommand } from './export.ts'
import { asOperatorError } from './failures.ts'
import { importCommand } from './import.ts'
import { printPets } from './output.ts'

interface ListOptions {
  readonly status?: PetStatus
  readonly limit?: number
  readonly cursor?: string
  readonly all?: boolean
  readonly json?: boolean
}

interface AddOptions {
  readonly categoryId: bigint
  readonly status?: PetStatus
  readonly idempotencyKey?: string
}

export function petsCommand(program: Command): void {
  const pets = program.command('pets').description('list, get, add, import and export animals')

  client(pets.command('list'))
    .description('list animals in the order of their identifiers')
    .addOption(status('only animals with this status'))
    .option(
      '--limit <number>',
      `at most this many, ${LIMIT_MIN} to ${LIMIT_MAX}; default ${LIMIT_DEFAULT}`,
      limit,
    )
    .option('--cursor <cursor>', 'continue an earlier list, which printed the cursor')
    .option('--all', 'all animals; --limit then sets the page size')
    .action(options => run(options, store => list(store, options)))

  client(pets.command('get'))
    .description('get one animal')
    .argument('<id>', 'its identifier', int64)
    .action((id, options) => run(options, async store => printPets([await store.pets.get(id)], options)))

  client(pets.command('add'))
    .description('add an animal and show it')
    .argument('<name>', 'its name')
    .requiredOption('--category-id <id>', 'the category it belongs to', int64)
    .addOption(status('its status; default available'))
    .option('--idempotency-key <key>', 'adds it once, even if this command is repeated within 24 hours')
    .action((name, options) =>
      run(options, async store => printPets([await add(store, name, options)], options)),
    )

  importCommand(pets)
  exportCommand(pets)
}

async function list(store: Petstore, options: ListOptions): Promise<void> {
  const { status, limit, cursor } = options
  const animals = store.pets.list({ status, limit, cursor })
  if (options.all) return printPets(animals, options)
  const page = await animals
  await printPets(page.items, options)
  if (page.hasNext && process.stderr.isTTY)
    process.stderr.write(
      `More follow: --all lists every animal, --cursor ${page.nextCursor} the next ones.\n`,
    )
}

const add = (store: Petstore, name: string, options: AddOptions): Promise<Pet> =>
  store.pets.create(
    { name, categoryId: options.categoryId, status: options.status },
    { idempotencyKey: options.idempotencyKey },
  )

async function run(
  options: Record<string, unknown>,
  work: (store: Petstore) => Promise<void>,
): Promise<void> {
  try {
    await work(clientWith({ ...loadClientConfig(flagsOf(options)), onDeprecated: warn }))
  } catch (error) {
    throw asOperatorError(error)
  }
}

/** Only in a terminal: a script has no use for it. */
function warn({ operation, sunset }: { operation: string; sunset: Date | undefined }): void {
  const end = sunset ? ` and is removed on ${sunset.toISOString().slice(0, 10)}` : ''
  if (process.stderr.isTTY)
    process.stderr.write(`petstore: the operation ${operation} is deprecated${end}.\n`)
}

const client = (command: Command): Command =>
  withSettings(command, CLIENT_SETTINGS).option(
    '--json',
    'one JSON object per line, as in a pipe; by default a terminal shows a table',
  )

const status = (about: string): Option => new Option('--status <status>', about).choices(PET_STATUSES)

function int64(text: string): bigint {
  const value = parseInt64(text)
  if (value === undefined) throw new InvalidArgumentError('It must be an int64 in plain decimal form.')
  return value
}

function limit(text: string): number {
  if (/^\d{1,3}$/.test(text) && +text >= LIMIT_MIN && +text <= LIMIT_MAX) return +text
  throw new InvalidArgumentError(`It must be an integer from ${LIMIT_MIN} to ${LIMIT_MAX}.`)
}
