import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { type Pet, type Petstore, PetstoreError, stringifyPet } from '../../client/src/index.ts'
import { readNewPet } from '../contract/pet.ts'
import { beginDraft } from '../files.ts'
import { environmentOfKey } from '../keys/api-key.ts'
import { codeOf, explained, InvalidInput, OperatorError } from '../operator-error.ts'
import { countText } from '../text.ts'
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
import { abortSignal, confirm, note, print, printFacts, startProgress } from './terminal.ts'

const PIPE = '-'
const AT_ONCE = 16
/** An import takes a while anyway, so it waits rather than stops. */
const RETRIES = { maxRetries: 10, timeoutMs: 300_000 }

const animals = (count: number): string => countText(count, 'animal')

export async function importPets(path: string, options: Options): Promise<void> {
  const isDryRun = options.dryRun === true
  const server = isDryRun ? undefined : clientConfig(options)
  // A server does not reveal its environment; a staging key does.
  const yes = options.yes === true || !server || environmentOfKey(server.apiKey) === 'staging'
  const { good, bad } = await readFile(path)
  for (const { line, problem } of bad) note(`line ${line}: ${problem}`)
  if (bad.length > 0)
    throw new InvalidInput(
      `Nothing was imported: ${countText(bad.length, 'bad line')}, ${countText(good.length, 'good one')}.`,
    )
  const warning = `This adds ${animals(good.length)} to ${server?.baseUrl}, and animals cannot be removed.`
  if (good.length > 0) await confirm(warning, { yes })
  const sent = { added: 0, already: [] as number[] }
  if (!isDryRun) await withClient(options, client => send(client, good, options.again === true, sent))
  const facts = { server: server?.baseUrl, ...sent, good: good.length }
  const already = `Skipped, because they were added in the last 24 hours: lines ${rangesText(sent.already)}. --again adds the whole file again.\n`
  const text = isDryRun
    ? `${animals(good.length)} checked; none was imported.\n`
    : `Imported ${animals(sent.added)}.\n${sent.already.length > 0 ? already : ''}`
  await printFacts(options, facts, text)
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
  for (const line of lines.toSorted((one, other) => one - other)) {
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
  sent: { added: number; already: number[] },
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
        if (replayed) sent.already.push(row.line)
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
