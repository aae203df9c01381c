import { usageError } from '../../../../../src/cli/help/usage-error.ts'
import { printable } from '../../../../../src/cli/terminal/printable.ts'
import { databaseUrl, withoutSecrets } from '../../../../../src/config/database-url.ts'
import { origins, rateLimit } from '../../../../../src/config/settings.ts'
import { readableLine } from '../../../../../src/observability/readable.ts'
import { withoutFormulas } from '../../../../../src/transfer/formats/formulas.ts'
import { FILE_FORMATS, type FormatName } from '../../../../../src/transfer/formats/index.ts'
import { fill, many, members, SIZE, type WorstCase, type WorstCases } from './worst-case.ts'

/** A file of this size arrives in one chunk. */
async function* inOnePiece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
async function* inSmallPieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 1024) yield bytes.subarray(at, at + 1024)
}
const file = (format: FormatName, input: string, pieces = inOnePiece): WorstCase => ({
  input,
  read: async text => {
    for await (const _ of FILE_FORMATS[format].read(pieces(text)));
  },
})
const fileOfMany = (format: FormatName, before: string, record: string): WorstCase =>
  many(record, file(format, '').read, before)
const readDatabaseUrl = (text: string) => [withoutSecrets(text), databaseUrl.safeParse(text)]
const CSV = 'name,categoryId\n'
const failure = (message: string) =>
  ({ kind: 'background-task-failed', task: 'x', cause: new Error(message) }) as const

/** What commands, the log and the settings parse: files, values and names. */
export const COMMANDS: WorstCases = {
  'line of the readable log': {
    'control characters': {
      input: fill('\u0001'),
      read: text => readableLine(failure(text), 'warn', new Date()),
    },
  },
  'CSV file': {
    'rows of quotation marks': fileOfMany('csv', CSV, '""\n'),
    'quotation marks': file('csv', CSV + fill('"')),
    commas: file('csv', CSV + fill(',')),
    'a field without an end, in small pieces': file('csv', `${CSV}"${fill('x\n""')}`, inSmallPieces),
    columns: file(
      'csv',
      `${CSV.trim()},${members(n => String(n)).slice(1, SIZE / 2)}\n${fill(',', SIZE / 2)}`,
    ),
  },
  'NDJSON file': {
    'one line in small pieces': file('ndjson', fill('x'), inSmallPieces),
    'lines that are no JSON': fileOfMany('ndjson', '', 'x\n'),
    'empty lines': file('ndjson', fill('\n')),
    'zeros within a number': file('ndjson', `{"name":"Rex","categoryId":1${fill('0')}1}\n`),
  },
  'JSON file': {
    commas: fileOfMany('json', '[', ','),
    'white space': file('json', `[${fill(' \n')}]`),
    brackets: file('json', fill('[')),
    'one string in small pieces': file('json', `["${fill('\\"')}`, inSmallPieces),
  },
  DATABASE_URL: {
    'at signs': { input: `postgres://${fill('@')}\n`, read: readDatabaseUrl },
    'one host': { input: `postgres://${fill('a')}\n`, read: readDatabaseUrl },
    'many hosts': { input: `postgres://${fill('a,')}`, read: readDatabaseUrl },
    slashes: { input: `postgres://a${fill('/')}\n`, read: readDatabaseUrl },
  },
  'other settings': {
    origins: { input: fill(','), read: text => origins.safeParse(text) },
    'a rate limit': { input: fill('1'), read: text => rateLimit.safeParse(text) },
  },
  'arguments of a command': {
    blanks: { input: `error: unknown command '${fill(' ')}x'`, read: usageError },
    'line breaks': { input: `error: unknown command '${fill('\n ')}x'`, read: usageError },
    'beginnings of an offer': { input: `error: ${fill('(Did you mean ')}`, read: usageError },
    'an unknown option': { input: `error: unknown option '-x=${fill("' ")}`, read: usageError },
  },
  'names in a terminal': {
    'control characters': many('\u0001', printable),
    'control characters and letters': many('\u202ea', printable),
  },
  'names for a spreadsheet': {
    separators: { input: fill(';'), read: withoutFormulas },
    'separators and blanks': { input: fill('; '), read: withoutFormulas },
    blanks: { input: `;${fill(' ')}x`, read: withoutFormulas },
  },
}
