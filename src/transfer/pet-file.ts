import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { parseInt64 } from '../contract/int64.ts'
import { parseExactJson } from '../contract/json.ts'
import { NEW_PET_FIELDS, type NewPet, PET_FIELDS, type Pet, type ReadPet } from '../contract/pet.ts'
import { countText } from '../text.ts'
import { type CsvRow, csvLine, csvRows, withoutFormulas } from './csv.ts'

/** Files of animals, CSV or NDJSON, for the command line and the console. */

/** A file is held in memory, because all of it is checked before anything is added. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024

const COLUMN_NAMES = PET_FIELDS.map(({ name }) => name)
const REQUIRED = NEW_PET_FIELDS.filter(field => field.default === undefined)

/** The file as a whole cannot be read. The message says what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** An animal's values as they are in the file, not checked yet. */
export type Fields = Readonly<Record<string, unknown>>

export interface GoodRow {
  readonly line: number
  readonly pet: NewPet
  /** 1 for the first row with this content, 2 for the next one. */
  readonly occurrence: number
}

export interface BadRow {
  readonly line: number
  readonly problem: string
}

export interface PetFile {
  readonly good: readonly GoodRow[]
  readonly bad: readonly BadRow[]
}

export function readPetFile(
  bytes: Uint8Array,
  fileName: string,
  check: (fields: unknown) => ReadPet,
): PetFile {
  const good: GoodRow[] = []
  const bad: BadRow[] = []
  const occurrences = new Map<string, number>()
  for (const row of readRows(decoded(bytes), fileName)) {
    const checked: ReadPet = 'problem' in row ? row : check(row.fields)
    if (checked.problem !== undefined) bad.push({ line: row.line, problem: checked.problem })
    else {
      const { pet } = checked
      const content = contentOf(pet)
      const occurrence = (occurrences.get(content) ?? 0) + 1
      occurrences.set(content, occurrence)
      good.push({ line: row.line, pet, occurrence })
    }
  }
  return { good, bad }
}

function decoded(bytes: Uint8Array): string {
  if (bytes.length > MAX_FILE_BYTES)
    throw new UnreadableFile('The file is larger than 32 MiB. Split it into smaller files.')
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw new UnreadableFile('This is a spreadsheet file (.xlsx). In the spreadsheet, save as CSV UTF-8.')
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnreadableFile('The file is not UTF-8. In the spreadsheet or editor, save as CSV UTF-8.')
  }
  if (text.trim() === '') throw new UnreadableFile('The file is empty.')
  return text
}

type Row = { readonly line: number; readonly fields: unknown } | BadRow

/** Chooses the format by the file name or, if that is not conclusive, by the first character. */
function readRows(text: string, fileName: string): Iterable<Row> {
  const [first] = text.trimStart()
  if (first === '[')
    throw new UnreadableFile(
      "This is a JSON array. Write one animal on each line (NDJSON): jq -c '.[]' animals.json",
    )
  const isCsv = !/\.(ndjson|jsonl)$/i.test(fileName) && (first !== '{' || /\.csv$/i.test(fileName))
  return isCsv ? csvEntries(text) : ndjsonEntries(text)
}

function* ndjsonEntries(text: string): Generator<Row> {
  for (const [index, json] of text.split('\n').entries()) {
    if (json.trim() === '') continue
    const line = index + 1
    try {
      yield { line, fields: parseExactJson(json) }
    } catch (error) {
      yield { line, problem: error instanceof SyntaxError ? 'it is not JSON' : 'it has too many values' }
    }
  }
}

function* csvEntries(text: string): Generator<Row> {
  const rows = csvRows(text)
  const header = rows.next().value as CsvRow | undefined
  const columns = (header?.fields ?? []).map(columnNamed)
  if (REQUIRED.some(({ name }) => !columns.some(column => column?.name === name)) || hasTwice(columns))
    throw unreadableHeader(text)
  for (const { line, fields } of rows)
    if (fields === undefined) yield { line, problem: 'a quotation mark is misplaced or not closed' }
    else if (fields.length !== columns.length)
      yield {
        line,
        problem: `it has ${countText(fields.length, 'field')}; the first line has ${columns.length}`,
      }
    else yield { line, fields: fieldsOf(columns, fields) }
}

/** Other columns are ignored. */
const columnNamed = (text: string): Column | undefined =>
  PET_FIELDS.find(({ name }) => name.toLowerCase() === text.trim().toLowerCase())

type Column = (typeof PET_FIELDS)[number]

const hasTwice = (columns: readonly (Column | undefined)[]): boolean =>
  columns.some((column, index) => column !== undefined && columns.indexOf(column) !== index)

function unreadableHeader(text: string): UnreadableFile {
  const [line = ''] = text.trimStart().split(/\r?\n/)
  const separator = line.includes(';') ? 'semicolons' : line.includes('\t') ? 'tabs' : undefined
  if (separator !== undefined && !line.includes(','))
    return new UnreadableFile(`The columns are separated by ${separator}. Save as CSV UTF-8 with commas.`)
  const shown = JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line)
  return new UnreadableFile(
    `The first line must list the columns, each once: name,categoryId,status. It is ${shown}.`,
  )
}

/**
 * Accepts padded numbers and capitalised statuses, as people and spreadsheets write them. A name is kept as it is. An empty field
 * counts as missing.
 */
function fieldsOf(columns: readonly (Column | undefined)[], texts: readonly string[]): Fields {
  const fields: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const text = texts[index] ?? ''
    if (column === undefined || column.name === 'id' || text.trim() === '') continue
    if (column.kind === 'int64') fields[column.name] = parseInt64(text.trim()) ?? text
    else fields[column.name] = column.kind === 'status' ? text.trim().toLowerCase() : text
  }
  return fields
}

const contentOf = (pet: NewPet): string =>
  ['', ...NEW_PET_FIELDS.map(({ name }) => String(pet[name]))].join('\0')

/**
 * The same row gets the same key in any file, so that nothing is added twice when an import is stopped, retried or corrected. `run`
 * makes the key a different one.
 */
export const importKeyOf = ({ pet, occurrence }: GoodRow, run = ''): string =>
  `import-${hashOf(contentOf(pet))}-${occurrence}${run && `-${run}`}`

/** 128 bits of SHA-256. Not crypto.subtle, which is missing on pages without TLS. */
const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 16))

export type Format = 'csv' | 'ndjson'

/** The beginning of a file. Without a byte order mark, a spreadsheet would mistake UTF-8 for another encoding. */
export const fileHead = (format: Format, forSpreadsheets: boolean): string =>
  format === 'ndjson' ? '' : `${forSpreadsheets ? '\ufeff' : ''}${csvLine(COLUMN_NAMES)}`

/** One animal as a CSV line. Only names are free text, which a spreadsheet could run. */
export const csvLineOf = (
  pet: { readonly [Name in keyof Pet]?: Pet[Name] | string | undefined },
  forSpreadsheets: boolean,
): string =>
  csvLine(
    PET_FIELDS.map(({ name, kind }) => {
      const text = String(pet[name] ?? '')
      return forSpreadsheets && kind === 'text' ? withoutFormulas(text) : text
    }),
  )
