/** CSV as in RFC 4180, and as spreadsheets of other countries write it. For the command line and browsers. */

export interface CsvRow {
  /** The line on which the row begins; a quoted field may contain line breaks. */
  readonly line: number
  readonly text: string
  /** Undefined if a quotation mark is misplaced or not closed. */
  readonly fields: readonly string[] | undefined
}

/** A quotation mark that is not closed within this many lines is a mistake, because no name has more line breaks. */
const MAX_LINES_OF_ROW = 256
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** Old Mac programs end a line with CR alone. The first line shows it; further down, a name may contain a CR. */
export const lineEndOf = (text: string): string => (/\r\n?|\n/.exec(text)?.[0] === '\r' ? '\r' : '\n')

/** All rows except empty ones. After a misplaced quotation mark, reading continues with the next line. */
export function* csvRows(lines: readonly string[], lineEnd: string, separator: string): Generator<CsvRow> {
  const fieldsOf = fieldReader(separator)
  for (let at = 0; at < lines.length; ) {
    const end = endOfRow(lines, at)
    const row = lines.slice(at, end).join(lineEnd).replace(/\r$/, '')
    const fields = fieldsOf(row)
    if (fields === undefined) yield { line: at + 1, text: lines[at]?.replace(/\r$/, '') ?? '', fields }
    else if (fields.some(field => field.trim() !== '')) yield { line: at + 1, text: row, fields }
    at = fields === undefined ? at + 1 : end
  }
}

/** The index after the line on which all quotation marks are closed, or after the first line if there is none. */
function endOfRow(lines: readonly string[], start: number): number {
  let isOpen = false
  for (let at = start; at < Math.min(lines.length, start + MAX_LINES_OF_ROW); at++) {
    if (((lines[at]?.split('"').length ?? 1) - 1) % 2 === 1) isOpen = !isOpen
    if (!isOpen) return at + 1
  }
  return start + 1
}

/** Splits a row into its fields. */
export function fieldReader(separator: string): (row: string) => string[] | undefined {
  const field = new RegExp(`("[^"]*(?:""[^"]*)*"|[^"${separator}]*)(${separator}|$)`, 'y')
  return row => {
    if (!row.includes('"')) return row.split(separator)
    const fields: string[] = []
    field.lastIndex = 0
    for (;;) {
      const match = field.exec(row)
      if (match === null) return undefined
      fields.push(unquoted(match[1] ?? ''))
      if (match[2] === '') return fields
    }
  }
}

const unquoted = (field: string): string =>
  field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field

export const csvLine = (fields: readonly string[], separator = ','): string =>
  `${fields.map(text => quotedIfNeeded(text, separator)).join(separator)}\r\n`

const quotedIfNeeded = (text: string, separator: string): string =>
  NEEDS_QUOTES.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * Positions where a spreadsheet would start a formula: at the beginning, and after any character that ends a cell in some locale.
 * Leading spaces do not prevent it, and some spreadsheets also accept the full-width signs. A position before an apostrophe counts
 * too, so that `withFormulas` can tell that apostrophe from an added one.
 */
const FORMULA = String.raw`(?='*[^\S\t\n\r]*[=+\-@＝＋－＠])`
const START = String.raw`(?<=^|[\t\n\r",;|])`
const UNSAFE = new RegExp(`${START}${FORMULA}|^(?='*[\\t\\n\\r])`, 'gu')
const MADE_SAFE = new RegExp(`${START}'${FORMULA}|^'(?='*[\\t\\n\\r])`, 'gu')

/** Puts an apostrophe before anything that a spreadsheet would run as a formula, so that it shows text. */
export const withoutFormulas = (text: string): string => text.replace(UNSAFE, "'")

/** Takes away the apostrophes of `withoutFormulas`. */
export const withFormulas = (text: string): string => text.replace(MADE_SAFE, '')
