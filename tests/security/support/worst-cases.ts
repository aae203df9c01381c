import { parseJson } from '../../../client/src/json.ts'
import { nextCursorOf } from '../../../client/src/pets/link.ts'
import { infoOf } from '../../../client/src/request/call.ts'
import { retryAfterOf } from '../../../client/src/request/retry.ts'
import { usageError } from '../../../src/cli/help/usage-error.ts'
import { closest } from '../../../src/cli/terminal/closest.ts'
import { printable } from '../../../src/cli/terminal/printable.ts'
import { databaseUrl, withoutSecrets } from '../../../src/config/database-url.ts'
import { origins, rateLimit } from '../../../src/config/protections.ts'
import { splitCsv } from '../../../src/console/import/split-csv.ts'
import { keyIn } from '../../../src/console/sign-in/pasted-key.ts'
import { viewOf } from '../../../src/console/view/view.ts'
import { parseExactJson } from '../../../src/contract/exact-json.ts'
import { parseInt64 } from '../../../src/contract/int64.ts'
import { INT64_FIELDS, NewPet } from '../../../src/contract/pet.ts'
import { ListPetsQuery } from '../../../src/contract/query.ts'
import { wantsPage } from '../../../src/http/pages/not-found.ts'
import { Cors } from '../../../src/http/protections/cors.ts'
import { authenticate } from '../../../src/http/request/authenticate.ts'
import { readJsonBody } from '../../../src/http/request/body.ts'
import { pathOf } from '../../../src/http/request/path.ts'
import { readQuery } from '../../../src/http/request/query.ts'
import { requestIds } from '../../../src/http/request/request-id.ts'
import { conditionalAnswer, representation } from '../../../src/http/response/conditional.ts'
import { encodedAnswer } from '../../../src/http/response/encoded.ts'
import { KeyRing } from '../../../src/keys/key-ring.ts'
import { readableLine } from '../../../src/observability/readable.ts'
import { openCursor } from '../../../src/operations/cursor.ts'
import { withoutFormulas } from '../../../src/transfer/formats/formulas.ts'
import { FILE_FORMATS, type FormatName } from '../../../src/transfer/formats/index.ts'

const SIZE = 64 * 1024
const fill = (text: string, size = SIZE): string => text.repeat(Math.ceil(size / text.length)).slice(0, size)
const list = (item: string): string => `[${fill(`${item},`, SIZE - 16)}`.replace(/,[^,]*$/, ',1.5]')
const members = (member: (n: number) => string): string => {
  const all: string[] = []
  for (let size = 0; size < SIZE - 32; size += (all.at(-1)?.length ?? 0) + 1) all.push(member(all.length))
  return `{${all.join(',')}}`
}

/** A text of 64 KB that costs the most, and what reads it. What reads it may refuse it. */
export interface WorstCase {
  readonly input: string
  readonly read: (input: string) => unknown
  /** Four times as much of it, where each of thousands of pieces is worked on: a file of animals, say. There its growth tells. */
  readonly fourfold?: string
}

const body = (input: string): WorstCase => ({
  input,
  read: text => NewPet.safeParse(parseExactJson(text, INT64_FIELDS)),
})
const number = (literal: string): WorstCase => body(`{"name":"Rex","categoryId":${literal}}`)
const name = (text: string): WorstCase => body(JSON.stringify({ name: text, categoryId: 1 }))
const query = (input: string): WorstCase => ({ input, read: text => readQuery(ListPetsQuery, text) })
const header = (field: string, input: string, answer: (request: Request) => unknown): WorstCase => ({
  input,
  read: text => answer(new Request('http://x/', { headers: { [field]: text } })),
})
const page = representation('[]', {})
const asset = { name: 'console-x.js', plain: page, compressed: page }
const ifNoneMatch = (input: string) =>
  header('If-None-Match', input, request => conditionalAnswer(request, page))
const acceptEncoding = (input: string) =>
  header('Accept-Encoding', input, request => encodedAnswer(request, asset))

const ring = new KeyRing({
  environment: 'production',
  // A text of this length is refused before any look-up.
  keys: undefined as never,
  configuredKey: 'worst-cases-key-0123456789',
})
const authorization = (input: string) =>
  header('Authorization', input, request => authenticate(request, ring, performance.now()))
const requestIdOf = requestIds(ring)
const requestId = (input: string) => header('X-Request-Id', input, requestIdOf)
const cors = new Cors(['https://pets.example.org'])
const contentType = (input: string): WorstCase => ({
  input,
  read: text =>
    readJsonBody(
      new Request('http://x/', {
        method: 'POST',
        headers: { 'Content-Type': text, 'Content-Length': '1' },
        body: ' ',
      }),
    ),
})

/** One chunk, as a file of this size comes. */
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
const many = (piece: string, read: WorstCase['read'], before = ''): WorstCase => ({
  input: before + fill(piece),
  fourfold: before + fill(piece, 4 * SIZE),
  read,
})
const fileOfMany = (format: FormatName, before: string, record: string): WorstCase =>
  many(record, file(format, '').read, before)
const readDatabaseUrl = (text: string) => [withoutSecrets(text), databaseUrl.safeParse(text)]
const CSV = 'name,categoryId\n'
const LIMITS = { statuses: [], limitMax: 100, limitDefault: 20 }
const failure = (message: string) =>
  ({ kind: 'background-task-failed', task: 'x', cause: new Error(message) }) as const

/** Every regular expression and loop that meets what comes from outside, by the name that docs/reference/limits.md has for it. */
export const WORST_CASES: Readonly<Record<string, Readonly<Record<string, WorstCase>>>> = {
  'numbers of a body': {
    'zeros within one': number(`1${fill('0', SIZE - 60)}1`),
    'zeros behind the point': number(`3.${fill('0', SIZE - 60)}`),
    'zeros before a one': number(`0.${fill('0', SIZE - 60)}1`),
    digits: number(fill('7', SIZE - 60)),
    'digits of an exponent': number(`1e${fill('9', SIZE - 60)}`),
    'many small ones': body(list('1')),
    'many fractions': body(list('1.0')),
    'in many fields': body(members(n => `"${n.toString(36)}":1.0`)),
    'in one field again and again': body(members(() => '"categoryId":1.0')),
    'in a field with an escaped name': body(members(() => '"categoryI\\u0064":1.0')),
  },
  'structure of a body': {
    'brackets that open': body(fill('[')),
    'brackets that close too': body('['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2)),
    'objects within objects': body(fill('{"a":')),
    'empty arrays': body(list('[]')),
    'escapes in a string without an end': body(`{"a":"${fill('\\"')}`),
    'white space': body(' '.repeat(SIZE)),
  },
  'name of an animal': {
    'white space': name(fill(' ')),
    'pairs of surrogates': name(fill('😀', SIZE / 2)),
    'lone surrogates': name(fill('\ud800', SIZE / 8)),
  },
  'query of a list': {
    'many parameters': query(fill('a&')),
    'many long enough to be one of ours': query(fill('%61aa&')),
    'one parameter again and again': query(fill('limit=1&')),
    'percent signs': query(`cursor=${fill('%41')}`),
    digits: query(`limit=${fill('1')}`),
    'a long cursor': { input: fill('A'), read: text => openCursor(text, 'secret') },
  },
  'identifier in a path': {
    digits: { input: fill('9'), read: parseInt64 },
    'a sign and zeros': { input: `-${fill('0')}`, read: parseInt64 },
  },
  'path of a request': {
    escapes: { input: `http://x/${fill('%41')}`, read: pathOf },
    slashes: { input: `http://x/${fill('/')}%41`, read: pathOf },
  },
  Authorization: {
    'spaces behind the scheme': authorization(`Bearer${fill(' ')}`),
    'spaces before a key': authorization(`bearer${fill(' ')}x`),
    'a long key': authorization(`Bearer ${fill('x')}`),
    'a key of ours again and again': authorization(`Bearer ${fill('pets_live_')}`),
  },
  'X-Request-Id': {
    letters: requestId(fill('x')),
    'beginnings of a key': requestId(fill('pets_live')),
  },
  'Content-Type': {
    spaces: contentType(`application/json${fill(' ')}x`),
    semicolons: contentType(`application/json${fill(';')}`),
  },
  Origin: {
    'a long one': header('Origin', `https://${fill('a')}`, request => cors.headersFor(request)),
  },
  'If-None-Match': {
    commas: ifNoneMatch(fill(',')),
    tags: ifNoneMatch(fill('W/"x", ')),
    spaces: ifNoneMatch(`"x"${fill(' ')}"x"`),
  },
  'Accept-Encoding': {
    commas: acceptEncoding(fill(',')),
    spaces: acceptEncoding(`gzip${fill(' ')}x`),
    'spaces behind a semicolon': acceptEncoding(`gzip;${fill(' ')}x`),
    zeros: acceptEncoding(`gzip;q=0.${fill('0')}x`),
    'many that are refused': acceptEncoding(fill('gzip;q=0,')),
  },
  Accept: {
    'beginnings of a type': header('Accept', fill('text/htm,'), wantsPage),
    'types that run on': header('Accept', fill('text/htmlx'), wantsPage),
  },
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
    'a word that is meant': { input: fill('serve'), read: text => closest(text, ['serve', 'servers']) },
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
    'quotation marks': { input: fill('"'), read: splitCsv },
    'quotation marks that do not close': { input: fill('"a'), read: splitCsv },
    'lines with one that does not close': many('"a\n', splitCsv),
    commas: many(',', splitCsv),
  },
  'key that is pasted': {
    'quotation marks': { input: `x${fill('"')}x`, read: keyIn },
    blanks: { input: `authorization${fill(' ')}x`, read: keyIn },
  },
  'address of the console': {
    parameters: { input: fill('limit=1&'), read: text => viewOf(text, '', LIMITS) },
  },
}
