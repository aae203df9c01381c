import { authenticate, requestIds } from '../../../../../src/api/auth.ts'
import { BodyReader } from '../../../../../src/api/body.ts'
import { Cors } from '../../../../../src/api/cors.ts'
import { openCursor } from '../../../../../src/api/cursor.ts'
import { conditional, negotiated, representation } from '../../../../../src/api/response.ts'
import { pathOf, plainListQuery, readQuery } from '../../../../../src/api/url.ts'
import { parseInt64 } from '../../../../../src/contract/int64.ts'
import { parseExactJson } from '../../../../../src/contract/json.ts'
import { ListPetsQuery } from '../../../../../src/contract/operations.ts'
import { NewPet } from '../../../../../src/contract/pet.ts'
import { KeyRing } from '../../../../../src/keys/key-ring.ts'
import { wantsPage } from '../../../../../src/pages/endpoints.ts'
import { fill, list, members, SIZE, type WorstCase, type WorstCases } from './worst-case.ts'

const body = (input: string): WorstCase => ({
  input,
  read: text => NewPet.safeParse(parseExactJson(text)),
})
const number = (literal: string): WorstCase => body(`{"name":"Rex","categoryId":${literal}}`)
const name = (text: string): WorstCase => body(JSON.stringify({ name: text, categoryId: 1 }))
const query = (input: string): WorstCase => ({
  input,
  read: text => plainListQuery(text) ?? readQuery(ListPetsQuery, text),
})
const header = (field: string, input: string, answer: (request: Request) => unknown): WorstCase => ({
  input,
  read: text => answer(new Request('http://x/', { headers: { [field]: text } })),
})
const page = representation('[]', {})
const asset = { name: 'console-x.js', plain: page, compressed: page }
const ifNoneMatch = (input: string) => header('If-None-Match', input, request => conditional(request, page))
const acceptEncoding = (input: string) =>
  header('Accept-Encoding', input, request => negotiated(request, asset))

const ring = new KeyRing({
  environment: 'production',
  // A text of this length is refused before any lookup.
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
    new BodyReader().readJson(
      new Request('http://x/', {
        method: 'POST',
        headers: { 'Content-Type': text, 'Content-Length': '1' },
        body: ' ',
      }),
    ),
})

/** What the service parses of a request. */
export const REQUESTS: WorstCases = {
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
    'a long one': header('Origin', `https://${fill('a')}`, request =>
      cors.setHeaders(new Headers(), request),
    ),
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
}
