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
    // No row ends without a line break, so there is no need to look again.
    return text.includes('\n') ? this.#rows() : this.#noRows()
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
      if (content !== '') rows.push({ line: this.line, ...fieldsOf(content, this.line) })
      this.line += linesIn(row)
      start = end + 1
    }
    this.#pending = text.slice(start)
    return [...rows, ...this.#noRows()]
  }

  #noRows(): [] {
    assertBounded(this.#pending.length)
    return []
  }
}

/** The first line break outside of quotes. Only at the beginning of a field does a quotation mark open any. */
function endOfQuotedRow(text: string, start: number): number {
  let at = start
  let lineBreak = -1
  while (at < text.length) {
    if (text[at] === '"') at = endOfQuotes(text, at)
    if (lineBreak < at) lineBreak = indexOr(text, '\n', at)
    const comma = indexOr(text, ',', at)
    if (lineBreak <= comma) return lineBreak
    at = comma + 1
  }
  return text.length
}

/** Behind the closing mark; beyond the end of the text where there is none. */
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

const linesIn = (text: string): number => text.split('\n').length

function fieldsOf(row: string, line: number): { fields: string[]; problem?: string } {
  if (!row.includes('"')) return { fields: row.split(',') }
  const fields: string[] = []
  let at = 0
  for (;;) {
    const isQuoted = row[at] === '"'
    const end = isQuoted ? endOfQuotes(row, at) : indexOr(row, ',', at)
    if (end > row.length) {
      const last = line + linesIn(row.trimEnd()) - 1
      return { fields, problem: `a quotation mark is not closed; all up to line ${last} belongs to it` }
    }
    const text = row.slice(at, end)
    const isWhole = end === row.length || row[end] === ','
    if (!isWhole || (!isQuoted && text.includes('"')))
      return { fields, problem: 'a quotation mark stands where none may stand' }
    fields.push(isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text)
    if (end === row.length) return { fields }
    at = end + 1
  }
}
