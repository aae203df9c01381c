import { usageError } from '../../../../../src/cli/help.ts'
import { printable } from '../../../../../src/cli/terminal.ts'
import { databaseUrl, withoutSecrets } from '../../../../../src/config/database-url.ts'
import { origins, rateLimit } from '../../../../../src/config/settings.ts'
import { readableLine } from '../../../../../src/observability/log.ts'
import { withoutFormulas } from '../../../../../src/transfer/csv.ts'
import { readPetFile } from '../../../../../src/transfer/pet-file.ts'
import { fill, many, members, SIZE, type WorstCase, type WorstCases } from './worst-case.ts'

const readFile = (text: string) => readPetFile(Buffer.from(text), 'animals', () => 'not checked')
const file = (input: string): WorstCase => ({ input, read: readFile })
const fileOfMany = (before: string, record: string): WorstCase => many(record, readFile, before)
const readDatabaseUrl = (text: string) => [withoutSecrets(text), databaseUrl.safeParse(text)]
const CSV = 'name,categoryId\n'
const failure = (message: string) =>
  ({ kind: 'background-task-failed', task: 'x', cause: new Error(message) }) as const

/** What commands, the log and the settings parse: files, values and names. */
export const COMMANDS: WorstCases = {
  'line of the readable log': {
    'control characters': {
      input: fill('\u0001'),
      read: text => readableLine(failure(text), 'warn', new Date(), true),
    },
  },
  'CSV file': {
    'rows of quotation marks': fileOfMany(CSV, '""\n'),
    'rows of one quotation mark': fileOfMany(CSV, '"\n'),
    'quotation marks': file(CSV + fill('"')),
    commas: file(CSV + fill(',')),
    'a field without an end': file(`${CSV}"${fill('x\n""')}`),
    columns: file(`${CSV.trim()},${members(n => String(n)).slice(1, SIZE / 2)}\n${fill(',', SIZE / 2)}`),
  },
  'NDJSON file': {
    'lines that are no JSON': fileOfMany('{\n', 'x\n'),
    'empty lines': file(`{${fill('\n')}`),
    'zeros within a number': file(`{"name":"Rex","categoryId":1${fill('0')}1}\n`),
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
