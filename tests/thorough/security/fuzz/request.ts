import fc from 'fast-check'
import { API_KEY } from '../../../support/service/service.ts'
import { encoded } from './bytes.ts'
import { bodyText, number, weighted } from './json.ts'

/** One request. `CURSOR` in its target is replaced by a cursor that the engine under attack issued. */
export interface FuzzRequest {
  readonly method: string
  readonly target: string
  readonly fields: readonly string[]
  readonly body: Uint8Array | undefined
  /** Whether it may add an animal, so that its order matters. */
  readonly mayAdd: boolean
}

export const CURSOR = '~CURSOR~'
const MAX_SIZED = 66_000

const words = (text: string): string[] => text.trim().split(/\s+/)
const one = (choices: readonly string[]) => fc.constantFrom(...choices)
const some = (item: fc.Arbitrary<string>, maxLength: number, glue: string) =>
  fc.array(item, { maxLength }).map(items => items.join(glue))
/** Present in one of `oneIn` requests. */
const rarely = <T>(oneIn: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  weighted([oneIn - 1, fc.constant(undefined)], [1, arbitrary])

/** Words that the listener does not accept as a method: it closes the connection. */
export const UNKNOWN_METHODS = ['get', 'FOO']
const METHODS = [...words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND'), ...UNKNOWN_METHODS]
const PIECES = [
  ...words(String.raw`/ // . .. %2e%2e %2f %2F %00 % %zz %c0%af %ff %u0041 %25 ; ;a=b \ pets v1 V1 PETS 1 * ~ #x | ^ " <
    {petId} :petId %E2%82%AC`),
  ...['\xe2\x82\xac', '\xff', '\x7f', 'a'.repeat(300)],
]
const PATHS = words('/v1 /v1/ /v1/pets/ /livez /openapi.json /nothing /v1/store/orders')
const IDS = words('%31 1%20 +1 %EF%BC%91 1.0 1e0 -1 0 01 NaN %00 %F0%9F%98%80 1/2 1;2')
const PARAMETERS = words(
  'x=1 limit && = limit[]=1 limit%00=1 %6cimit=5 __proto__=1 constructor=x %=% +=+ %c0%80=1',
)
const STATUSES = ['', ...words('available pending sold Sold sold%20 %00 avail%61ble []')]
const CURSORS = ['', 'a'.repeat(500), ...words(`x % ${CURSOR + CURSOR} ${CURSOR}x %ff AAAA`)]
const MEDIA_TYPES = [
  ...words('application/jsonx text/plain text/json json Application/JSON application/json;'),
  ...[
    '',
    'application/json; charset=utf-8',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
  ],
]
const CREDENTIALS = [
  '',
  'Bearer',
  'Bearer x',
  `Basic ${API_KEY}`,
  API_KEY,
  `Bearer ${API_KEY}x`,
  `Bearer\t${API_KEY}`,
  'Bearer \xff',
]
const ODD_VALUES = [
  '',
  '\xff\xfe',
  'a\tb',
  'x'.repeat(300),
  "' OR 1=1 --",
  '() { :; }',
  ...words('a " , 0 -1 __proto__ %0d%0a'),
]
const FIELD_NAMES = words(
  'X-A Accept Range If-Match If-Modified-Since Cookie X-HTTP-Method-Override X-Forwarded-Host Forwarded TE __proto__ constructor',
)

const field = (name: string, value: fc.Arbitrary<string>) => value.map(content => `${name}: ${content}`)

const petId = weighted(
  [4, fc.integer({ min: 1, max: 50 }).map(String)],
  [2, number.map(encodeURIComponent)],
  [1, fc.string({ unit: one([...'0123456789']), minLength: 1, maxLength: 22 })],
  [1, one(['', ...IDS])],
)

const parameter = weighted(
  [
    3,
    fc
      .oneof(fc.integer({ min: 1, max: 100 }).map(String), number.map(encodeURIComponent))
      .map(limit => `limit=${limit}`),
  ],
  [3, one(STATUSES).map(status => `status=${status}`)],
  [2, fc.oneof(fc.constant(CURSOR), one(CURSORS)).map(cursor => `cursor=${cursor}`)],
  [2, one(PARAMETERS)],
)

const path = weighted(
  [10, fc.constant('/v1/pets')],
  [6, petId.map(id => `/v1/pets/${id}`)],
  [1, one(PATHS)],
  [2, some(one(PIECES), 4, '').map(pieces => `/v1/pets${pieces}`)],
  [1, some(one(PIECES), 6, '').map(pieces => `/${pieces}`)],
)

const target = fc
  .tuple(
    rarely(40, one(['http://evil.example', 'http://[::1', 'https://x:99999', 'http://'])),
    path,
    fc.array(parameter, { maxLength: 4 }),
    rarely(8, fc.constant('?')),
  )
  .map(
    ([form = '', where, query, mark = '']) =>
      `${form}${where}${query.length > 0 ? '?' : mark}${query.join('&')}`,
  )

const authorization = weighted(
  [22, fc.constant(`Authorization: Bearer ${API_KEY}`)],
  [1, field('Authorization', one(CREDENTIALS))],
  [1, fc.constant(undefined)],
)

const fields = fc.tuple(
  weighted(
    [19, fc.constant('Host: x')],
    [1, field('Host', one(['', 'a b', '[::1', 'x:99999', '://', '\xff', 'x/y?z#w']))],
  ),
  authorization,
  rarely(
    5,
    field(
      'Idempotency-Key',
      fc.oneof(
        fc.nat(19).map(n => `key-${n}`),
        one(ODD_VALUES),
      ),
    ),
  ),
  rarely(6, field('If-None-Match', one(['*', '""', 'W/"x"', ' *', '"x", *', ...ODD_VALUES]))),
  rarely(6, field('X-Request-Id', one(['sane-1', 'a b', ...ODD_VALUES]))),
  rarely(
    10,
    fc.tuple(one(FIELD_NAMES), one(ODD_VALUES)).map(([name, value]) => `${name}: ${value}`),
  ),
)

const bodyFields = fc.tuple(
  weighted(
    [15, fc.constant('Content-Type: application/json')],
    [3, field('Content-Type', one(MEDIA_TYPES))],
    [2, fc.constant(undefined)],
  ),
  rarely(30, field('Content-Encoding', one(['identity', 'gzip', 'br', '', 'IDENTITY']))),
)

const body = weighted(
  [400, encoded(bodyText).map(bytes => bytes.subarray(0, MAX_SIZED))],
  [1, fc.constantFrom(0x20, 0x5b, 0x30, 0x22).map(byte => new Uint8Array(MAX_SIZED).fill(byte))],
)

const post = fc
  .tuple(weighted([7, fc.constant('/v1/pets')], [1, target]), fields, bodyFields, body)
  .map(([where, common, own, content]) => request('POST', where, [...common, ...own], content))

const other = fc
  .tuple(
    weighted([8, fc.constant('GET')], [2, fc.constant('HEAD')], [1, one(METHODS)]),
    target,
    fields,
    rarely(12, body),
  )
  .map(([method, where, common, content]) => request(method, where, common, content?.subarray(0, 500)))

function request(
  method: string,
  where: string,
  lines: readonly (string | undefined)[],
  body: Uint8Array | undefined,
): FuzzRequest {
  return {
    method,
    target: where,
    fields: lines.filter(line => line !== undefined),
    body,
    mayAdd: method === 'POST',
  }
}

/** Requests of every kind, most of them almost valid. They shrink to the part that matters. */
export const fuzzRequest = weighted([8, post], [11, other])
