import { parseInt64 } from '../../contract/int64.ts'
import type { Pet } from '../../contract/pet.ts'
import { InvalidInput } from '../../operator-error.ts'
import { countText } from '../../text/amounts.ts'
import { type Entry, entryOf } from '../entry.ts'
import { type CsvRow, CsvSplitter } from './csv-splitter.ts'
import { decoded } from './text.ts'

const REQUIRED = ['name', 'categoryId']
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** RFC 4180 with a first row that names the columns; columns that an animal does not have are ignored, `id` among them. */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entry[]> {
  const splitter = new CsvSplitter()
  let header: readonly string[] | undefined
  const entriesOf = (rows: readonly CsvRow[]): Entry[] => {
    const [first, ...others] = rows
    if (header !== undefined || first === undefined) return rows.map(row => entryOfRow(row, header ?? []))
    header = headerOf(first)
    return others.map(row => entryOfRow(row, header ?? []))
  }
  for await (const text of decoded(bytes)) yield entriesOf(splitter.push(text))
  yield entriesOf(splitter.end())
  if (header === undefined) throw noHeader()
}

function headerOf({ fields }: CsvRow): readonly string[] {
  if (REQUIRED.some(name => !fields.includes(name)) || new Set(fields).size < fields.length)
    throw noHeader(fields)
  return fields
}

const noHeader = (found?: readonly string[]): InvalidInput =>
  new InvalidInput(
    `A CSV file begins with a line that names its columns, each once: name, categoryId and optionally status. ${whatWasFound(found)}`,
  )

const LONGEST_SHOWN = 80

/** The line itself, made safe to show: spreadsheets of many countries put semicolons where commas belong. */
function whatWasFound(fields: readonly string[] | undefined): string {
  if (fields === undefined) return 'The file is empty.'
  const line = fields.join(',')
  const shown = JSON.stringify(line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line)
  const separator = [';', '\t'].find(other => fields.length === 1 && line.includes(other))
  const name = separator === ';' ? 'semicolons' : 'tabs'
  const advice = separator === undefined ? '' : ` Its columns are separated by ${name}; use commas.`
  return `The first line is ${shown}.${advice}`
}

function entryOfRow({ line, fields, problem }: CsvRow, header: readonly string[]): Entry {
  if (problem !== undefined) return { line, problem }
  if (fields.length !== header.length)
    return {
      line,
      problem: `it has ${countText(fields.length, 'field')}; the first line names ${header.length}`,
    }
  const field = (name: string): string | undefined => fields[header.indexOf(name)]
  return entryOf(line, {
    name: field('name'),
    categoryId: int64Of(field('categoryId')),
    // An empty field means that there is no value.
    status: field('status') || undefined,
  })
}

const int64Of = (text: string | undefined): unknown => (text ? (parseInt64(text) ?? text) : undefined)

export async function* writeCsv(batches: AsyncIterable<readonly Pet[]>): AsyncGenerator<string> {
  yield 'id,name,categoryId,status\r\n'
  for await (const batch of batches)
    yield batch
      .map(({ id, name, categoryId, status }) => `${id},${quoted(name)},${categoryId},${status}\r\n`)
      .join('')
}

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
