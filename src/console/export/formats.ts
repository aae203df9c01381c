import { type Pet, stringifyPet } from '../../../client/src/index.ts'

export type Format = 'csv' | 'ndjson'

interface FormatOf {
  readonly type: string
  readonly head: string
  readonly line: (pet: Pet, isForSpreadsheets: boolean) => string
}

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/
/** Where a spreadsheet would begin a cell that it runs, in any country. */
const FORMULA = /(?<=^|[\t\n\r",;|])(?=[^\S\t\n\r]*[=+\-@＝＋－＠]|^[\t\n\r])/gu

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The same files as the command line writes. */
export const FORMATS: Readonly<Record<Format, FormatOf>> = {
  csv: {
    type: 'text/csv',
    head: 'id,name,categoryId,status\r\n',
    line: ({ id, name, categoryId, status }, isForSpreadsheets) =>
      `${id},${quoted(isForSpreadsheets ? name.replace(FORMULA, "'") : name)},${categoryId},${status}\r\n`,
  },
  ndjson: { type: 'application/x-ndjson', head: '', line: pet => `${stringifyPet(pet)}\n` },
}
