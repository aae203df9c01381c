import { type Command, Option } from 'commander'
import { InvalidInput, OperatorError } from '../../operator-error.ts'
import type { IdRange, Stage } from '../../store/transfer.ts'
import { countText, withCommas } from '../../text/amounts.ts'
import { FORMAT_NAMES, type FormatName, formatOf, PIPE } from '../../transfer/formats/index.ts'
import { type Gathered, gather } from '../../transfer/gather.ts'
import { assertConfirmable, confirm, type Step, withYes } from '../terminal/confirm.ts'
import { printFacts, withJson } from '../terminal/facts.ts'
import { Progress } from '../terminal/progress.ts'
import { counted, inputOf } from './input.ts'
import { describePlace, type PlaceOptions, sayDatabase, stageIn, withPlace } from './place.ts'

interface ImportOptions extends PlaceOptions {
  readonly format?: FormatName
  readonly dryRun?: boolean
  readonly continue?: boolean
  readonly json?: boolean
  readonly yes?: boolean
  readonly create?: boolean
}

export function importCommand(pets: Command): void {
  withYes(withJson(withPlace(pets.command('import'))))
    .description('add the animals of a file, all or none; the store assigns their identifiers')
    .argument('<file>', 'the file, or - for standard input')
    .addOption(formatOption())
    .option('--dry-run', 'only check the file')
    .option('--create', 'create the database if there is none')
    .option('--continue', 'leave out the lines that are bad and import the others')
    .action((file: string, options: ImportOptions) => importPets(file, options))
}

export const formatOption = (): Option =>
  new Option('--format <format>', 'default: by the file name, and ndjson for a pipe').choices(FORMAT_NAMES)

async function importPets(path: string, options: ImportOptions): Promise<void> {
  const started = performance.now()
  const format = formatOf(path, options.format)
  const input = await inputOf(path)
  const place = describePlace(options)
  sayDatabase(options)
  const step = (what: string): Step => ({
    warning: `This adds ${what} to ${place.name}, and animals cannot be removed.`,
    yes: options.yes === true || options.dryRun === true || !place.isProduction,
  })
  // When standard input is the file, no question can be answered.
  assertConfirmable(step('the animals'), path === PIPE ? false : undefined)
  const reading = new Progress(options.dryRun ? 'Checking' : 'Reading', 'animals', input.size)
  const adding = new Adding()
  const stage = options.dryRun ? undefined : await stageIn(options, options.create === true, adding.advance)
  try {
    const gathered = await gather({
      entries: format.read(counted(input.bytes, count => reading.advance(count, 0))),
      stage,
      onBad: (line, problem) => reading.note(`line ${line}: ${problem}`),
      onGood: animals => reading.advance(0, animals),
    }).finally(() => reading.end())
    refuseBad(gathered, options)
    if (gathered.good > 0) await confirm(step(animals(gathered.good)))
    const range = stage && gathered.good > 0 ? await adding.all(stage, gathered.good) : undefined
    const durationMs = performance.now() - started
    const facts = {
      imported: range === undefined ? 0 : gathered.good - (range.replayed ?? 0),
      good: gathered.good,
      bad: gathered.bad,
      firstId: range?.first,
      lastId: range?.last,
      durationMs: Math.round(durationMs),
    }
    await printFacts(options, facts, () => outcome(gathered, range, durationMs))
    if (gathered.bad > 0)
      throw new OperatorError(`${lines(gathered.bad)} bad and left out.`, { exit: 'inPart' })
  } finally {
    await stage?.close()
  }
}

/** Shows progress: a database adds all animals in one transaction, a server one by one. */
class Adding {
  #progress: Progress | undefined
  #sent = 0

  readonly advance = (animals: number): void => {
    this.#sent += animals
    this.#progress?.advance(animals)
  }

  async all(stage: Stage, total: number): Promise<IdRange | undefined> {
    this.#progress = new Progress('Adding ', 'animals', total)
    try {
      this.advance(0)
      const range = await stage.publish()
      this.advance(total - this.#sent)
      return range
    } finally {
      this.#progress.end()
    }
  }
}

function refuseBad({ good, bad }: Gathered, options: ImportOptions): void {
  if (bad === 0 || (options.continue && !options.dryRun)) return
  const offer = options.dryRun ? '' : ' --continue leaves them out and imports the others.'
  throw new InvalidInput(`${lines(bad)} bad, ${animals(good)} would be good; none was imported.${offer}`)
}

function outcome({ good, bad }: Gathered, range: IdRange | undefined, ms: number): string {
  if (range !== undefined) {
    const known = range.replayed ?? 0
    const again = known > 0 ? `; ${animals(known)} of this import were there already` : ''
    const where = `with identifiers from ${range.first} to ${range.last}`
    return `Imported ${known > 0 ? `${withCommas(good - known)} new of ` : ''}${animals(good)} ${where} in ${(ms / 1000).toFixed(1)} s${again}.\n`
  }
  return good === 0 && bad === 0
    ? 'It holds no animals; none was imported.\n'
    : `${animals(good)} checked; none was imported.\n`
}

const animals = (count: number): string => countText(count, 'animal')
const lines = (count: number): string => `${withCommas(count)} ${count === 1 ? 'line is' : 'lines are'}`
