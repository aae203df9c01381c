import { randomBytes } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { type Pet, type Petstore, PetstoreError, stringifyPet } from '../../client/src/index.ts'
import { commandName, shellWord } from '../command-name.ts'
import { readNewPet } from '../contract/pet.ts'
import { countText } from '../count-text.ts'
import { beginDraft } from '../files.ts'
import { environmentOfKey } from '../keys/api-key.ts'
import { printable } from '../observability/log.ts'
import { exitFor, explained, InvalidInput, OperatorError, plainReason } from '../operator-error.ts'
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
import { flagsOf, type Options } from './options.ts'
import { abortSignal, confirm, note, print, printFacts, startProgress } from './terminal.ts'

const PIPE = '-'
const AT_ONCE = 16
/** An import takes a while anyway, so it waits rather than stops. */
const RETRIES = { maxRetries: 10, timeoutMs: 300_000 }

type ImportOptions = Options & { dryRun?: boolean; again?: boolean; lines?: string; idempotencyKey?: string }

const animals = (count: number): string => countText(count, 'animal')

export async function importPets(path: string, options: ImportOptions): Promise<void> {
  const { dryRun: isDryRun = false, again = false, lines, idempotencyKey } = options
  const run = idempotencyKey ?? (again ? randomBytes(6).toString('hex') : undefined)
  if (run !== undefined && lines === undefined)
    throw new InvalidInput('--again and --idempotency-key need --lines, the lines to add.')
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
  const exported = lines === undefined ? good.filter(({ hasId }) => hasId) : []
  const rows = lines === undefined ? good.filter(({ hasId }) => !hasId) : rowsOn(lines, good)
  const warning = `This adds ${animals(rows.length)} to ${server?.baseUrl}, and animals cannot be removed.`
  if (rows.length > 0) await confirm(warning, { yes })
  const { added, already, failed } = isDryRun
    ? { added: 0, already: [], failed: [] }
    : await withClient(options, client => send(client, rows, run))
  const unsure = failed.filter(({ error }) => error.outcomeUnknown).map(({ row }) => row)
  const facts = {
    server: server?.baseUrl,
    rowsInFile: good.length,
    animalsAdded: added,
    linesMaybeAdded: linesOf(unsure),
    idempotencyKey: run,
    linesLeftOutAsImportedBefore: linesOf(already),
    linesLeftOutBecauseOfId: linesOf(exported),
    columnsNotRead: notRead,
  }
  if (failed[0]) {
    await printFacts(options, facts, '')
    const maybe = unsure.length === 0 ? '' : `, and ${linesText(unsure)} may have been`
    const key = run === undefined ? '' : ` with --idempotency-key ${shellWord(run)}`
    const repeat = `Run the same command again${key} within 24 hours, with the same API key, to add the others; none is added twice.`
    throw operatorErrorOf(failed[0].error, ` ${animals(added)} had been added before that${maybe}. ${repeat}`)
  }
  const named = flagsOf(options).baseUrl ?? server?.baseUrl
  const serverFlag = named === undefined ? '' : ` --base-url ${shellWord(named)}`
  const leftOut = (rows: readonly GoodRow[], why: string, flags: string): string => {
    if (rows.length === 0) return ''
    const command = `${commandName()} pets import ${shellWord(path)}${serverFlag} ${flags} ${rangesText(rows)}`
    return `Left out, because ${why}: ${linesText(rows)}. To add them:\n${command}\n`
  }
  const texts = [
    isDryRun ? `${animals(good.length)} checked; none was imported.\n` : `Imported ${animals(added)}.\n`,
    leftOut(exported, 'they have an id, and an import cannot change animals', '--lines'),
    leftOut(already, 'rows equal to them were imported in the last 24 hours', '--again --lines'),
  ]
  await printFacts(options, facts, texts.join(''))
}

const linesOf = (rows: readonly GoodRow[]): number[] =>
  rows.map(({ line }) => line).sort((one, other) => one - other)

/** The rows on lines such as `2-3,7`, or `2-` for all from line 2. No number is ignored, except that `1-` may name a header. */
function rowsOn(lines: string, rows: readonly GoodRow[]): readonly GoodRow[] {
  const found = lines.split(',').flatMap(range => {
    const [, first = '', isOpen, last = first] = /^([1-9]\d*)(?:(-)|-(\d+))?$/.exec(range) ?? []
    const on = rows.filter(({ line }) => line >= +first && (isOpen || line <= +last))
    const isWhole = isOpen ? on.length > 0 : on[0]?.line === +first && on.at(-1)?.line === +last
    if (isWhole) return on
    const rule = 'must begin and end on a line with an animal. Write 2-3,7 or 2-, for example.'
    throw new InvalidInput(`--lines: "${printable(range)}" ${rule}`)
  })
  if (new Set(found).size === found.length) return found
  throw new InvalidInput(`--lines: ${lines} lists a line twice.`)
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
    if (error instanceof UnreadableFile) throw new InvalidInput(`${path}: ${error.message}`)
    throw new OperatorError(`${path} cannot be read: ${plainReason(error)}.`, { exit: exitFor(error) })
  }
}

const linesText = (rows: readonly GoodRow[]): string =>
  `${rows.length === 1 ? 'line' : 'lines'} ${rangesText(rows)}`

/** `3,7-9` */
function rangesText(rows: readonly GoodRow[]): string {
  const ranges: [number, number][] = []
  for (const line of linesOf(rows)) {
    const range = ranges.at(-1)
    if (range?.[1] === line - 1) range[1] = line
    else ranges.push([line, line])
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',')
}

/** Sends several rows at a time, each with its own idempotency key. Starts no further row after a failure. */
async function send({ pets }: Petstore, rows: readonly GoodRow[], run: string | undefined) {
  const signal = abortSignal()
  const progress = startProgress(`Importing ${animals(rows.length)}:`)
  const rest = rows.values()
  const responses: { row: GoodRow; id: bigint; replayed: boolean; attempts: number }[] = []
  const failed: { row: GoodRow; error: PetstoreError }[] = []
  const worker = async (): Promise<void> => {
    for (const row of rest) {
      if (failed.length > 0) return
      try {
        const options = { idempotencyKey: importKeyOf(row, run), signal, ...RETRIES }
        const { data, replayed, attempts } = await pets.create(row.pet, options).withResponse()
        responses.push({ row, id: data.id, replayed, attempts })
        progress.advance(1)
      } catch (error) {
        if (!(error instanceof PetstoreError)) throw error
        failed.push({ row, error })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  progress.end()
  // Identifiers increase, so earlier imports added all rows up to the last one whose first attempt was replayed, and none after an
  // animal that is surely new. A replay between those was lost and retried by this import, or was the last of an earlier one.
  responses.sort((one, other) => (one.id < other.id ? -1 : 1))
  const firstNew = responses.findIndex(({ replayed }) => !replayed)
  const replays = firstNew === -1 ? responses : responses.slice(0, firstNew)
  const lastOld = replays.findLastIndex(({ attempts }) => attempts === 1)
  const already = responses.slice(0, lastOld + 1).map(({ row }) => row)
  return { added: responses.length - already.length, already, failed }
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
