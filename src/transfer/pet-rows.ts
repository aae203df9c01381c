import { parseInt64 } from '../contract/int64.ts'
import { parseExactJson, TooManyValues } from '../contract/json.ts'
import { HAS_VISIBLE, NEW_PET_FIELDS, PET_FIELDS } from '../contract/pet.ts'
import { countText } from '../count-text.ts'
import {
  type CsvRow,
  csvLine,
  csvRows,
  fieldReader,
  lineEndOf,
  withFormulas,
  withoutFormulas,
} from './csv.ts'
import { UnreadableFile } from './decode.ts'

/** A row as it is in the file. */
export interface Row {
  readonly line: number
  readonly text: string
  /** The values that are wrong, if it is not the row as a whole. */
  readonly wrong?: readonly string[] | undefined
}

export interface BadRow extends Row {
  readonly problem: string
}

/** A file's rows, and how bad ones are saved. */
export interface Rows {
  /** The values are not checked yet. */
  readonly rows: Iterable<BadRow | (Row & { readonly fields: unknown })>
  /** Columns that no animal has. Those of NDJSON are known when all rows have been read. */
  readonly notRead: readonly string[]
  /**
   * Bad rows as a file to correct and to read again. CSV has the problem in its first column, and nothing that a spreadsheet would
   * run.
   */
  readonly corrections: (rows: readonly BadRow[]) => string
}

/**
 * Chooses the format by the file name or, if that is not conclusive, by the first character. `isMarked` says whether the file began
 * with a byte order mark.
 */
export function readRows(text: string, fileName: string, isMarked: boolean): Rows {
  const [first] = text.trimStart()
  if (first === '[')
    throw new UnreadableFile(
      "This is a JSON array. Write one animal on each line (NDJSON): jq -c '.[]' animals.json",
    )
  const isCsv = !/\.(ndjson|jsonl)$/i.test(fileName) && (first !== '{' || /\.csv$/i.test(fileName))
  return isCsv ? readCsv(text, isMarked) : readNdjson(text)
}

function readNdjson(text: string): Rows {
  const known = new Set<string>(PET_FIELDS.map(({ name }) => name))
  const notRead: string[] = []
  function* rows() {
    for (const [index, json] of text.split(/\r\n?|\n/).entries()) {
      if (json.trim() === '') continue
      const line = index + 1
      try {
        const fields = parseExactJson(json)
        for (const name of json.trimStart().startsWith('{') ? Object.keys(Object(fields)) : []) {
          if (!known.has(name)) notRead.push(name)
          known.add(name)
        }
        yield { line, text: json, fields }
      } catch (error) {
        const problem = error instanceof TooManyValues ? 'it has too many values' : 'it is not JSON'
        yield { line, text: json, problem }
      }
    }
  }
  return {
    rows: rows(),
    notRead,
    corrections: rows => rows.map(({ text }) => `${text}\n`).join(''),
  }
}

const SEPARATORS = [',', ';', '\t'] as const
/** A first line by which spreadsheets tell each other the separator. */
const DIRECTIVE = /^"?sep=[,;\t]"?\r?$/i
/** The first column of corrections. */
const ADVICE = 'What to change'

function readCsv(text: string, isMarked: boolean): Rows {
  const lineEnd = lineEndOf(text)
  const lines = text.split(lineEnd)
  // An empty line does not count as a row, and the other lines keep their numbers.
  if (DIRECTIVE.test(lines[0] ?? '')) lines[0] = ''
  const separator = SEPARATORS.find(each => isHeader(headerOf(csvRows(lines, lineEnd, each))))
  if (separator === undefined) throw noHeader(lines)
  const csv = csvRows(lines, lineEnd, separator)
  const header = headerOf(csv)
  const columns = columnsOf(header)
  const ownColumns = header[0] === ADVICE ? 1 : 0
  // Corrections and exports for spreadsheets, which begin with a mark, contain apostrophes that we have added.
  const isSafe = ownColumns > 0 || isMarked
  const textIn = (field: string): string => (isSafe ? withFormulas(field) : field)
  const fieldsOf = fieldReader(separator)
  function* rows() {
    for (const { line, text, fields } of csv)
      if (fields === undefined) yield { line, text, problem: 'a quotation mark is misplaced or not closed' }
      else if (fields.length !== columns.length) {
        const problem = `it has ${countText(fields.length, 'field')}; the first line has ${columns.length}`
        yield { line, text, problem }
      } else yield { line, text, fields: valuesOf(columns, fields.map(textIn)) }
  }
  return {
    rows: rows(),
    notRead: header.filter((name, index) => !columns[index] && name !== ADVICE && name.trim() !== ''),
    corrections: rows => {
      const lines = rows.map(({ text, problem }) => {
        // A row that could not be read becomes a single cell.
        const fields = fieldsOf(text)?.slice(ownColumns).map(textIn) ?? [text]
        return [problem, ...fields.map(safe)]
      })
      return [[ADVICE, ...header.slice(ownColumns)], ...lines].map(line => csvLine(line, separator)).join('')
    },
  }
}

const safe = (text: string): string => (/^-?\d+$/.test(text) ? text : withoutFormulas(text))

type Columns = readonly ((typeof PET_FIELDS)[number] | undefined)[]

const REQUIRED = NEW_PET_FIELDS.filter(field => field.default === undefined)

/** The field of each column, in any order and spelling. Other columns are ignored. */
function columnsOf(header: readonly string[]): Columns {
  const names = header.map(text => text.toLowerCase().replaceAll(/[\s_-]/g, ''))
  // Beside a column of numbers, this one has names.
  const alias = names.includes('categoryid') ? undefined : 'category'
  return names.map(name =>
    PET_FIELDS.find(field => field.name.toLowerCase() === (name === alias ? 'categoryid' : name)),
  )
}

const headerOf = (rows: Generator<CsvRow>): readonly string[] =>
  (rows.next().value as CsvRow | undefined)?.fields ?? []

/** Whether there is a column for each field that has no default, and none twice. */
function isHeader(header: readonly string[]): boolean {
  const columns = columnsOf(header).filter(column => column !== undefined)
  return REQUIRED.every(field => columns.includes(field)) && new Set(columns).size === columns.length
}

function noHeader(lines: readonly string[]): UnreadableFile {
  const line = lines.find(line => line.trim() !== '') ?? ''
  const shown = JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line.trimEnd())
  const names = NEW_PET_FIELDS.map(({ name }) => name)
  return new UnreadableFile(`The first line must list the columns, each once: ${names}. It is ${shown}.`)
}

/**
 * Accepts padded numbers and capitalised statuses, as people and spreadsheets write them. A name is kept as it is. An empty field
 * counts as missing.
 */
function valuesOf(columns: Columns, texts: readonly string[]): unknown {
  const fields: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    if (column === undefined) continue
    const text = texts[index] ?? ''
    const value = column.kind === 'text' ? text : text.trim()
    if (!HAS_VISIBLE.test(value)) continue
    if (column.kind === 'int64') fields[column.name] = parseInt64(value) ?? text
    else fields[column.name] = column.kind === 'status' ? value.toLowerCase() : value
  }
  return fields
}
