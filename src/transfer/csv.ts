/** CSV as in RFC 4180, for the command line and browsers. */

export interface CsvRow {
  /** The line on which the row begins; a quoted field may contain line breaks. */
  readonly line: number
  /** Undefined if a quotation mark is misplaced or not closed. */
  readonly fields: readonly string[] | undefined
}

/** A quotation mark that is not closed within this many lines is a mistake, because no name has more line breaks. */
const MAX_LINES_OF_ROW = 256
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** All rows except empty ones. After a misplaced quotation mark, reading continues with the next line. */
export function* csvRows(text: string): Generator<CsvRow> {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; ) {
    const end = endOfRow(lines, at)
    const fields = csvFields(lines.slice(at, end).join('\n').replace(/\r$/, ''))
    if (fields === undefined || fields.some(field => field.trim() !== '')) yield { line: at + 1, fields }
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

function csvFields(row: string): string[] | undefined {
  if (!row.includes('"')) return row.split(',')
  const fields: string[] = []
  const field = new RegExp(FIELD)
  for (;;) {
    const match = field.exec(row)
    if (match === null) return undefined
    const [, quoted, plain = '', separator] = match
    fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (separator === '') return fields
  }
}

export const csvLine = (fields: readonly string[]): string => `${fields.map(quotedIfNeeded).join(',')}\r\n`

const quotedIfNeeded = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/**
 * Positions where a spreadsheet would start a formula: at the beginning, and after any character that ends a cell in some locale.
 * Leading spaces do not prevent it, and some spreadsheets also accept the full-width signs.
 */
const FORMULA = /(?<=^|[\t\n\r",;|])(?=[^\S\t\n\r]*[=+\-@＝＋－＠]|^[\t\n\r])/gu

/** Puts an apostrophe before anything that a spreadsheet would run as a formula, so that it shows text. */
export const withoutFormulas = (text: string): string => text.replace(FORMULA, "'")
