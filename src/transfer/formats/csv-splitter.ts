import { assertBounded } from './text.ts'

export interface Row {
  /** The line on which it begins: a quoted field may hold line breaks. */
  readonly line: number
  readonly fields: readonly string[]
  readonly problem?: string
}

/** Takes CSV apart as it arrives. A blank line is no row. */
export class CsvSplitter {
  line = 1
  #pending = ''
  #isFinal = false

  push(text: string): Row[] {
    this.#pending += text
    return this.#rows()
  }

  end(): Row[] {
    this.#isFinal = true
    return this.#rows()
  }

  #rows(): Row[] {
    const text = this.#pending
    const rows: Row[] = []
    let start = 0
    let quote = -1
    while (start < text.length) {
      // Most rows have no quotation mark, and then the next line break is their end.
      if (quote < start) quote = indexOr(text, '"', start)
      const lineBreak = indexOr(text, '\n', start)
      const end = quote > lineBreak ? lineBreak : endOfQuotedRow(text, start)
      if (end === text.length && !this.#isFinal) break
      const row = text.slice(start, end)
      const content = row.endsWith('\r') ? row.slice(0, -1) : row
      if (content !== '') rows.push({ line: this.line, ...fieldsOf(content) })
      this.line += row.split('\n').length
      start = end + 1
    }
    this.#pending = text.slice(start)
    assertBounded(this.#pending.length)
    return rows
  }
}

/** The first line break outside of quotes. Only at the beginning of a field does a quotation mark open any. */
function endOfQuotedRow(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    if (text[at] === '"') at = endOfQuotes(text, at)
    const lineBreak = indexOr(text, '\n', at)
    const comma = indexOr(text, ',', at)
    if (lineBreak <= comma) return lineBreak
    at = comma + 1
  }
  return text.length
}

function endOfQuotes(text: string, opening: number): number {
  let at = indexOr(text, '"', opening + 1)
  while (text[at + 1] === '"') at = indexOr(text, '"', at + 2)
  return at + 1
}

/** The end of the text where there is none: the rest may not have arrived. */
function indexOr(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from)
  return index < 0 ? text.length : index
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y

function fieldsOf(row: string): { fields: string[]; problem?: string } {
  if (!row.includes('"')) return { fields: row.split(',') }
  const fields: string[] = []
  FIELD.lastIndex = 0
  for (;;) {
    const field = FIELD.exec(row)
    if (field === null)
      return { fields, problem: 'a quotation mark stands where none may stand, or is not closed' }
    const [, quoted, plain = '', end] = field
    fields.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') return { fields }
  }
}
