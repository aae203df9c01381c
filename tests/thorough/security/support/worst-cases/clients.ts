import { infoOf } from '../../../../../client/src/call.ts'
import { parseJson } from '../../../../../client/src/pet-json.ts'
import { nextCursorOf } from '../../../../../client/src/pet-list.ts'
import { retryAfterOf } from '../../../../../client/src/response.ts'
import { viewOf } from '../../../../../src/console/list/view.ts'
import { indented } from '../../../../../src/console/reference/indent.ts'
import { keyIn } from '../../../../../src/console/session/api-key.ts'
import { csvRows } from '../../../../../src/transfer/csv.ts'
import { fill, many, SIZE, type WorstCases } from './worst-case.ts'

const readCsv = (text: string): unknown => [...csvRows(text)]

/** What the client and the console parse. */
export const CLIENTS: WorstCases = {
  'JSON answer, in the client': {
    digits: { input: `[${fill('1')}]`, read: parseJson },
    'long integers': many('9007199254740993,', text => parseJson(`[${text}1]`)),
    'quotation marks': { input: `["${fill('\\"', SIZE - 64)}",9007199254740993]`, read: parseJson },
    'a string without an end': { input: `[9007199254740993,"${fill('\\"')}`, read: parseJson },
  },
  'Link, in the client': {
    'targets that open': { input: fill('<'), read: nextCursorOf },
    'quotation marks': many('"', nextCursorOf, '<x>'),
    'escapes within quotation marks': many('\\"', nextCursorOf, '<x>"'),
    semicolons: { input: `<x>${fill(';')}`, read: nextCursorOf },
    'a name without a value': { input: `<x>;${fill('a')}`, read: nextCursorOf },
    'blanks behind a name': { input: `<x>;a${fill(' ')}x`, read: nextCursorOf },
    'hash signs': { input: `<${fill('#')}>; rel=next`, read: nextCursorOf },
    relations: { input: `<x>; rel="${fill('a ')}"`, read: nextCursorOf },
  },
  'other headers, in the client': {
    RateLimit: {
      input: fill(';r=1'),
      read: text => infoOf(200, new Headers({ RateLimit: text }), 1),
    },
    'Retry-After': {
      input: `${fill('1')}x`,
      read: text => retryAfterOf(new Headers({ 'Retry-After': text })),
    },
  },
  'CSV file, in the console': {
    'quotation marks': { input: fill('"'), read: readCsv },
    'quotation marks that do not close': { input: fill('"a'), read: readCsv },
    'lines with one that does not close': many('"a\n', readCsv),
    commas: many(',', readCsv),
  },
  'key that is pasted': {
    'quotation marks': { input: `x${fill('"')}x`, read: keyIn },
    blanks: { input: `authorization${fill(' ')}x`, read: keyIn },
  },
  'answer in the reference, in the console': {
    'quotation marks that do not close': { input: fill('"\\'), read: indented },
    'quotation marks': { input: `["${fill('\\"', SIZE - 4)}"]`, read: indented },
    brackets: many('[', text => indented(text + ']'.repeat(text.length))),
    // A length that divides 64 KB, so that the text is JSON.
    'empty arrays': many('[ ],', text => indented(`[${text}1]`)),
  },
  'address of the console': {
    parameters: { input: fill('limit=1&'), read: text => viewOf(text, '', []) },
  },
}
