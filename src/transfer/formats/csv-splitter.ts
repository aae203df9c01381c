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
    while (start < text.length) {
      const end = endOfRow(text, start)
      if (end < 0 && !this.#isFinal) break
      const row = text.slice(start, end < 0 ? text.length : end)
      const content = row.endsWith('\r') ? row.slice(0, -1) : row
      if (content !== '') rows.push({ line: this.line, ...fieldsOf(content) })
      this.line += countOf(row, '\n') + 1
      start = end < 0 ? text.length : end + 1
    }
    this.#pending = text.slice(start)
    assertBounded(this.#pending.length)
    return rows
  }
}

/** The first line break outside of quotes; -1 where the rest has not arrived. */
function endOfRow(text: string, start: number): number {
  let quotes = 0
  for (let from = start; ; ) {
    const lineBreak = text.indexOf('\n', from)
    if (lineBreak < 0) return -1
    quotes += countOf(text.slice(from, lineBreak), '"')
    if (quotes % 2 === 0) return lineBreak
    from = lineBreak + 1
  }
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

function countOf(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count++
  return count
}
