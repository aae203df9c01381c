import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { type Pet, type Petstore, PetstoreError, stringifyPet } from '../../client/src/index.ts'
import { readNewPet } from '../contract/pet.ts'
import { beginDraft } from '../files.ts'
import { environmentOfKey } from '../keys/api-key.ts'
import { codeOf, explained, InvalidInput, OperatorError } from '../operator-error.ts'
import { countText } from '../text.ts'
import { commandName, shellWord } from '../this-program.ts'
import { MAX_FILE_BYTES, UnreadableFile } from '../transfer/decode.ts'
import {
  csvLineOf,
  type Format,
  fileHead,
  type GoodRow,
  importKeyOf,
  type PetFile,
  readPetFile,
} from '../transfer/pet-file.ts'
import { clientConfig, operatorErrorOf, withClient } from './client.ts'
import type { Options } from './options.ts'
import { abortSignal, confirm, note, print, printable, printFacts, startProgress } from './terminal.ts'

const PIPE = '-'
const AT_ONCE = 16
/** An import takes a while anyway, so it waits rather than stops. */
const RETRIES = { maxRetries: 10, timeoutMs: 300_000 }

type ImportOptions = Options & {
  readonly [Name in 'lines' | 'baseUrl' | 'envFile']?: string
} & { readonly dryRun?: boolean; readonly again?: boolean }

const animals = (count: number): string => countText(count, 'animal')

export async function importPets(path: string, options: ImportOptions): Promise<void> {
  const { dryRun: isDryRun = false, again = false, lines } = options
  if (again && lines === undefined)
    throw new InvalidInput('--again needs --lines: it adds only the lines that you name.')
  const server = isDryRun ? undefined : clientConfig(options)
  // A server does not reveal its environment; a staging key does.
  const yes = options.yes === true || !server || environmentOfKey(server.apiKey) === 'staging'
  const { good, bad, notRead } = await readFile(path)
  if (notRead.length > 0) note(`Not read: ${printable(notRead.join(', '))}.`)
  for (const { line, problem } of bad) note(`line ${line}: ${problem}`)
  if (bad.length > 0)
    throw new InvalidInput(
      `Nothing was imported: ${countText(bad.length, 'bad line')}, ${countText(good.length, 'good one')}.`,
    )
  const rows = lines === undefined ? good.filter(({ hasId }) => !hasId) : rowsOn(lines, good)
  const withId = lines === undefined ? linesOf(good.filter(({ hasId }) => hasId)) : []
  const leftOut = (lines: readonly number[], why: string, flags: string): string =>
    `Left out, because ${why}: ${lines.length === 1 ? 'line' : 'lines'} ${rangesText(lines)}. To add them:\n${importCommand(path, options)} ${flags} ${rangesText(lines)}`
  if (withId.length > 0)
    note(leftOut(withId, 'they have an id, and an import cannot change animals', '--lines'))
  const warning = `This adds ${animals(rows.length)} to ${server?.baseUrl}, and animals cannot be removed.`
  if (rows.length > 0) await confirm(warning, { yes })
  const sent = { added: 0, already: [] as GoodRow[] }
  if (!isDryRun) await withClient(options, client => send(client, rows, again, sent))
  const importedBefore = linesOf(sent.already)
  const facts = {
    server: server?.baseUrl,
    rowsInFile: good.length,
    animalsAdded: sent.added,
    linesLeftOutAsImportedBefore: importedBefore,
    linesLeftOutBecauseOfId: withId,
    columnsNotRead: notRead,
  }
  const imported = [`Imported ${animals(sent.added)}.`]
  if (importedBefore.length > 0)
    imported.push(
      leftOut(importedBefore, 'rows equal to them were imported in the last 24 hours', '--again --lines'),
    )
  const checked = [`${animals(good.length)} checked; none was imported.`]
  await printFacts(options, facts, `${(isDryRun ? checked : imported).join('\n')}\n`)
}

const linesOf = (rows: readonly GoodRow[]): number[] =>
  rows.map(({ line }) => line).sort((one, other) => one - other)

/** The same import, for the same server. It does not show the API key. */
function importCommand(path: string, { baseUrl, envFile }: ImportOptions): string {
  const words = [commandName(), 'pets', 'import', shellWord(path)]
  if (baseUrl !== undefined) words.push('--base-url', shellWord(baseUrl))
  if (envFile !== undefined) words.push('--env-file', shellWord(envFile))
  return words.join(' ')
}

/** The rows on lines such as `2-3,7`, or `2-` for all from line 2. */
function rowsOn(lines: string, rows: readonly GoodRow[]): GoodRow[] {
  const ranges = lines.split(',').map(part => {
    const [, first, dash, last] = /^(\d+)(-?)(\d*)$/.exec(part) ?? []
    const end = Number(last || (dash ? Number.POSITIVE_INFINITY : first))
    const isIn = ({ line }: GoodRow): boolean => line >= Number(first) && line <= end
    if (rows.some(isIn)) return isIn
    throw new InvalidInput(
      `--lines: no animal is on line ${printable(part)}. Write lines such as 2-3,7 or 2-.`,
    )
  })
  return rows.filter(row => ranges.some(isIn => isIn(row)))
}

/** Reads and checks the whole file before anything is added. */
async function readFile(path: string): Promise<PetFile> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    // A pipe may never end.
    for await (const chunk of (path === PIPE ? Bun.stdin : Bun.file(path)).stream()) {
      size += chunk.length
      chunks.push(chunk)
      if (size > MAX_FILE_BYTES) break
    }
    return readPetFile(Buffer.concat(chunks), path, readNewPet)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new OperatorError(`There is no file ${path}.`, { exit: 'missing' })
    if (codeOf(error) === 'EISDIR') throw new InvalidInput(`${path} is a folder.`)
    throw error instanceof UnreadableFile ? new InvalidInput(`${path}: ${error.message}`) : error
  }
}

/** `3,7-9` */
function rangesText(lines: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const range = ranges.at(-1)
    if (range?.[1] === line - 1) range[1] = line
    else ranges.push([line, line])
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',')
}

/** Sends several rows at a time, each with its own idempotency key. Starts no further row after a failure. */
async function send(
  { pets }: Petstore,
  rows: readonly GoodRow[],
  isAgain: boolean,
  sent: { added: number; already: GoodRow[] },
): Promise<void> {
  const run = isAgain ? randomBytes(6).toString('hex') : undefined
  const signal = abortSignal()
  const progress = startProgress(`Importing ${animals(rows.length)}:`)
  const rest = rows.values()
  let failure: unknown
  const worker = async (): Promise<void> => {
    for (const row of rest) {
      if (failure !== undefined) return
      try {
        const options = { idempotencyKey: importKeyOf(row, run), signal, ...RETRIES }
        const { replayed } = await pets.create(row.pet, options).withResponse()
        if (replayed) sent.already.push(row)
        else sent.added++
        progress.advance(1)
      } catch (error) {
        failure ??= error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  progress.end()
  if (failure === undefined) return
  if (!(failure instanceof PetstoreError)) throw failure
  const { message, exit } = operatorErrorOf(failure)
  const repeat = isAgain
    ? 'Check which ones were added before you add the others.'
    : 'Run the same command again within 24 hours, with the same API key, to add the others; none is added twice.'
  // Requests without a response may have added their animals.
  const isLeast = failure.retryable || failure.code === 'aborted'
  const text = `${message} ${isLeast ? 'At least ' : ''}${animals(sent.added)} had been added before that. ${repeat}`
  throw new OperatorError(text, { cause: failure, exit })
}

export async function exportPets(path: string, options: Options): Promise<void> {
  const format = formatOf(path)
  const forSpreadsheets = options.spreadsheetSafe === true
  if (forSpreadsheets && format !== 'csv') throw new InvalidInput('--spreadsheet-safe is for CSV only.')
  const textOf = (pet: Pet): string =>
    format === 'csv' ? csvLineOf(pet, forSpreadsheets) : `${stringifyPet(pet)}\n`
  const progress = startProgress('Exporting')
  let count = 0
  async function* pieces({ pets }: Petstore): AsyncGenerator<string> {
    yield fileHead(format, forSpreadsheets)
    for await (const { items } of pets.list({}, { signal: abortSignal() }).pages()) {
      count += items.length
      progress.advance(items.length)
      yield items.map(textOf).join('')
    }
  }
  await withClient(options, async client => {
    try {
      if (path !== PIPE) await writeFile(path, pieces(client), options.force === true)
      else for await (const piece of pieces(client)) await print(piece)
    } finally {
      progress.end()
    }
  })
  note(`Exported ${animals(count)}.`)
}

function formatOf(path: string): Format {
  if (path === PIPE || /\.(ndjson|jsonl)$/i.test(path)) return 'ndjson'
  if (/\.csv$/i.test(path)) return 'csv'
  throw new InvalidInput(`The name ${path} must end in .csv or .ndjson.`)
}

/** Writes under another name until the file is complete. Only its owner can read it. */
async function writeFile(path: string, pieces: AsyncIterable<string>, replace: boolean): Promise<void> {
  const writing = <T>(work: () => T): T => explained(reason => `${path} cannot be written: ${reason}.`, work)
  using draft = writing(() => beginDraft(path, { replace }))
  for await (const piece of pieces) writing(() => appendFileSync(draft.path, piece))
  writing(() => draft.publish())
}
