/** CSV as RFC 4180 has it. Runs in the command line and in browsers. */

export interface CsvRow {
  /** The line on which it begins: a quoted field may hold line breaks. */
  readonly line: number
  /** Undefined where the row breaks the rules of quotation marks. */
  readonly fields: readonly string[] | undefined
}

/** A quotation mark that is not closed within so many lines is a mistake: no name has more line breaks. */
const MAX_LINES_OF_ROW = 256
const FIELD = /(?:"([^"]*(?:""[^"]*)*)"|([^",]*))(,|$)/y
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** Rows without the blank ones. After a row with a wrong quotation mark, reading continues with the next line. */
export function* csvRows(text: string): Generator<CsvRow> {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; ) {
    const end = endOfRow(lines, at)
    const fields = fieldsOf(lines.slice(at, end).join('\n').replace(/\r$/, ''))
    if (fields === undefined || fields.some(field => field.trim() !== '')) yield { line: at + 1, fields }
    at = fields === undefined ? at + 1 : end
  }
}

/** Behind the line on which all quotation marks are closed; behind the first line if there is none. */
function endOfRow(lines: readonly string[], start: number): number {
  let isOpen = false
  for (let at = start; at < Math.min(lines.length, start + MAX_LINES_OF_ROW); at++) {
    if (((lines[at]?.split('"').length ?? 1) - 1) % 2 === 1) isOpen = !isOpen
    if (!isOpen) return at + 1
  }
  return start + 1
}

function fieldsOf(row: string): string[] | undefined {
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
 * Where a spreadsheet would begin a cell that it runs: at the beginning, and behind what another country's spreadsheet takes
 * for the end of a cell. Blanks in front do not help; the wide forms count as the narrow ones in some.
 */
const FORMULA = /(?<=^|[\t\n\r",;|])(?=[^\S\t\n\r]*[=+\-@＝＋－＠]|^[\t\n\r])/gu

/** Puts an apostrophe before what a spreadsheet would take for a formula, so that it shows text. */
export const withoutFormulas = (text: string): string => text.replace(FORMULA, "'")
