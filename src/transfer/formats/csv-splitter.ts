import { assertBounded, NOT_UTF8, wasUtf8 } from './text.ts'

export interface CsvRow {
  /** The line on which it begins: a quoted field may contain line breaks. */
  readonly line: number
  readonly fields: readonly string[]
  readonly problem?: string
}

type Find = (character: string, from: number) => number

/** Where in a row the text so far ends. Only at the beginning of a field does a quotation mark open quotes. */
type State = 'field start' | 'plain' | 'quoted' | 'mark within quotes'

/** Splits CSV as it arrives and reads each character once, wherever the chunks end. A blank line is not a row. */
export class CsvSplitter {
  line = 1
  #state: State = 'field start'
  /** What has arrived of a row that is not complete. */
  #begun = ''

  push(text: string): CsvRow[] {
    const rows: CsvRow[] = []
    const find = finderIn(text)
    let start = 0
    for (;;) {
      const end = this.#endOfRow(text, start, find)
      if (end === text.length) break
      rows.push(...this.#rowOf(this.#begun + text.slice(start, end)))
      this.#begun = ''
      start = end + 1
    }
    this.#begun += text.slice(start)
    assertBounded(this.#begun.length)
    return rows
  }

  end(): CsvRow[] {
    return this.#begun === '' ? [] : this.#rowOf(this.#begun)
  }

  /** The first line break outside of quotes, or the end of the text. */
  #endOfRow(text: string, start: number, find: Find): number {
    let at = start
    while (at < text.length) {
      if (this.#state === 'quoted') {
        at = indexOr(text, '"', at) + 1
        if (at <= text.length) this.#state = 'mark within quotes'
      } else if (this.#state === 'mark within quotes') {
        const isDoubled = text[at] === '"'
        this.#state = isDoubled ? 'quoted' : 'plain'
        if (isDoubled) at++
      } else if (this.#state === 'field start' && text[at] === '"') {
        this.#state = 'quoted'
        at++
      } else {
        const lineBreak = find('\n', at)
        // Most rows have no quotation mark, so their commas do not matter here.
        if (find('"', at) >= lineBreak) {
          this.#state = lineBreak < text.length || text.endsWith(',') ? 'field start' : 'plain'
          return lineBreak
        }
        const comma = find(',', at)
        this.#state = lineBreak < text.length || comma < text.length ? 'field start' : 'plain'
        if (lineBreak <= comma) return lineBreak
        at = comma + 1
      }
    }
    return text.length
  }

  #rowOf(text: string): CsvRow[] {
    const { line } = this
    this.line += linesIn(text)
    const content = text.endsWith('\r') ? text.slice(0, -1) : text
    if (content === '') return []
    const row = { line, ...fieldsOf(content, line) }
    return [wasUtf8(content) ? row : { ...row, problem: NOT_UTF8 }]
  }
}

/** The next place of a character, or the end of the text. What was found is kept until it is passed. */
function finderIn(text: string): Find {
  const found: Record<string, number> = {}
  return (character, from) => {
    const known = found[character] ?? -1
    if (known >= from) return known
    const index = indexOr(text, character, from)
    found[character] = index
    return index
  }
}

/** Behind the closing mark; beyond the end of the text where there is none. */
function endOfQuotes(text: string, opening: number): number {
  let at = indexOr(text, '"', opening + 1)
  while (text[at + 1] === '"') at = indexOr(text, '"', at + 2)
  return at + 1
}

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
