import { lstatSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { beginDraft } from '../../files/draft.ts'
import { explained, InvalidInput } from '../../operator-error.ts'
import { countText } from '../../text/amounts.ts'
import { petsWithoutFormulas } from '../../transfer/formats/formulas.ts'
import { FILE_FORMATS, type FormatName, formatOf, PIPE } from '../../transfer/formats/index.ts'
import { print } from '../terminal/output.ts'
import { Progress } from '../terminal/progress.ts'
import { formatOption } from './import.ts'
import { animalsIn, isFileOfStore, type PlaceOptions, sayDatabase, withPlace } from './place.ts'

interface ExportOptions extends PlaceOptions {
  readonly format?: FormatName
  readonly force?: boolean
  readonly spreadsheetSafe?: boolean
}

export function exportCommand(pets: Command): void {
  withPlace(pets.command('export'))
    .description('write a snapshot of all animals to a file or a pipe')
    .argument('[file]', 'the file, or - for standard output', PIPE)
    .addOption(formatOption())
    .option('--force', 'replace an existing file')
    .option('--spreadsheet-safe', "CSV: put ' in front of names that a spreadsheet would run as a formula")
    .action((file: string, options: ExportOptions) => exportPets(file, options))
}

async function exportPets(path: string, options: ExportOptions): Promise<void> {
  const format = formatOf(path, options.format)
  if (options.spreadsheetSafe && format !== FILE_FORMATS.csv)
    throw new InvalidInput('--spreadsheet-safe is for CSV only.')
  if (path !== PIPE && (await isFileOfStore(options, path)))
    throw new InvalidInput(`${path} is the database itself. Name another file.`)
  if (path !== PIPE && !options.force && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new InvalidInput(`${path} exists. --force replaces it.`)
  sayDatabase(options)
  const source = await animalsIn(options)
  const progress = new Progress('Exporting', 'animals', source.total)
  let count = 0
  try {
    const animals = observed(source.batches, batch => {
      count += batch.length
      progress.advance(batch.length)
    })
    const text = format.write(options.spreadsheetSafe ? petsWithoutFormulas(animals) : animals)
    if (path === PIPE) for await (const piece of text) await print(piece)
    else await writeFile(path, text, options.force === true)
  } finally {
    progress.end()
    await source.close()
  }
  process.stderr.write(`Exported ${countText(count, 'animal')}.\n`)
}

async function* observed<T>(batches: AsyncIterable<T>, observe: (batch: T) => void): AsyncGenerator<T> {
  for await (const batch of batches) {
    observe(batch)
    yield batch
  }
}

/** Written under another name until it is complete. */
async function writeFile(path: string, text: AsyncIterable<string>, replace: boolean): Promise<void> {
  using draft = writing(path, () => beginDraft(path))
  for await (const piece of text) writing(path, () => writeFileSync(draft.descriptor, piece))
  writing(path, () => draft.publish({ replace }))
}

const writing = <T>(path: string, work: () => T): T =>
  explained(reason => `${path} cannot be written: ${reason}.`, work)
