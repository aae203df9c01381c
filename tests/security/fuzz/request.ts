import { API_KEY } from '../../support/service.ts'
import { encode } from './bytes.ts'
import { type Below, digits, pick, several, weighted } from './choice.ts'
import { bodyText, number } from './json-grammar.ts'

/** One request. `CURSOR` in its target stands for one that the engine under attack gave out itself. */
export interface FuzzRequest {
  readonly method: string
  readonly target: string
  readonly fields: readonly string[]
  readonly body: Uint8Array | undefined
  /** Whether it may add an animal, so that its place in the order matters. */
  readonly mayAdd: boolean
}

export const CURSOR = '~CURSOR~'
const MAX_SIZED = 66_000

/** Words that the listener does not take for a method: it closes the connection. */
export const UNKNOWN_METHODS = ['get', 'FOO']
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  ...UNKNOWN_METHODS,
]
const PIECES = [
  '/',
  '//',
  '.',
  '..',
  '%2e%2e',
  '%2f',
  '%2F',
  '%00',
  '%',
  '%zz',
  '%c0%af',
  '%ff',
  '%u0041',
  '%25',
  ';',
  ';a=b',
  '\\',
  'pets',
  'v1',
  'V1',
  'PETS',
  '1',
  '*',
  '~',
  '#x',
  '|',
  '^',
  '"',
  '<',
  '{petId}',
  ':petId',
  '%E2%82%AC',
  '\xe2\x82\xac',
  '\xff',
  '\x7f',
  'a'.repeat(300),
]
const MEDIA_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json;',
  'application/jsonx',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'json',
  'application/json, text/plain',
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
  'a',
  '\xff\xfe',
  'a\tb',
  '"',
  ',',
  '0',
  '-1',
  'x'.repeat(300),
  "' OR 1=1 --",
  '() { :; }',
  '__proto__',
  '%0d%0a',
]
const FIELD_NAMES = [
  'X-A',
  'Accept',
  'Range',
  'If-Match',
  'If-Modified-Since',
  'Cookie',
  'X-HTTP-Method-Override',
  'X-Forwarded-Host',
  'Forwarded',
  'TE',
  '__proto__',
  'constructor',
]

const petId = (below: Below): string =>
  weighted(below, [
    [4, () => String(1 + below(50))],
    [2, () => encodeURIComponent(number(below))],
    [1, () => digits(below, 22)],
    [
      1,
      () =>
        pick(below, [
          '%31',
          '1%20',
          '+1',
          '１',
          '1.0',
          '1e0',
          '-1',
          '0',
          '01',
          'NaN',
          '%00',
          '',
          '%F0%9F%98%80',
          '1/2',
          '1;2',
        ]).replace('１', '%EF%BC%91'),
    ],
  ])

const parameter = (below: Below): string =>
  weighted(below, [
    [3, () => `limit=${below(2) === 0 ? 1 + below(100) : encodeURIComponent(number(below))}`],
    [
      3,
      () =>
        `status=${pick(below, ['available', 'pending', 'sold', 'Sold', '', 'sold%20', '%00', 'avail%61ble', '[]'])}`,
    ],
    [
      2,
      () =>
        `cursor=${below(2) === 0 ? CURSOR : pick(below, ['', 'x', '%', CURSOR + CURSOR, `${CURSOR}x`, '%ff', 'AAAA', 'a'.repeat(500)])}`,
    ],
    [
      2,
      () =>
        pick(below, [
          'x=1',
          'limit',
          '&&',
          '=',
          'limit[]=1',
          'limit%00=1',
          '%6cimit=5',
          '__proto__=1',
          'constructor=x',
          '%=%',
          '+=+',
          '%c0%80=1',
        ]),
    ],
  ])

const target = (below: Below): string => {
  const path = weighted(below, [
    [10, () => '/v1/pets'],
    [6, () => `/v1/pets/${petId(below)}`],
    [
      1,
      () =>
        pick(below, ['/v1', '/v1/', '/v1/pets/', '/livez', '/openapi.json', '/nothing', '/v1/store/orders']),
    ],
    [2, () => `/v1/pets${several(below, 4, () => pick(below, PIECES)).join('')}`],
    [1, () => `/${several(below, 6, () => pick(below, PIECES)).join('')}`],
  ])
  const query = several(below, below(3) === 0 ? 4 : 2, () => parameter(below)).join('&')
  const form =
    below(40) === 0 ? pick(below, ['http://evil.example', 'http://[::1', 'https://x:99999', 'http://']) : ''
  return `${form}${path}${query === '' && below(8) > 0 ? '' : `?${query}`}`
}

function fields(below: Below, hasBody: boolean): string[] {
  const found = [
    `Host: ${below(20) === 0 ? pick(below, ['', 'a b', '[::1', 'x:99999', '://', '\xff', 'x/y?z#w']) : 'x'}`,
  ]
  if (below(12) > 0) found.push(`Authorization: Bearer ${API_KEY}`)
  else if (below(2) === 0) found.push(`Authorization: ${pick(below, CREDENTIALS)}`)
  if (hasBody && below(10) > 0)
    found.push(`Content-Type: ${below(6) === 0 ? pick(below, MEDIA_TYPES) : 'application/json'}`)
  if (below(5) === 0)
    found.push(`Idempotency-Key: ${below(2) === 0 ? `key-${below(20)}` : pick(below, ODD_VALUES)}`)
  if (below(6) === 0)
    found.push(`If-None-Match: ${pick(below, ['*', '""', 'W/"x"', ' *', '"x", *', ...ODD_VALUES])}`)
  if (below(6) === 0) found.push(`X-Request-Id: ${pick(below, ['sane-1', 'a b', ...ODD_VALUES])}`)
  if (hasBody && below(30) === 0)
    found.push(`Content-Encoding: ${pick(below, ['identity', 'gzip', 'br', '', 'IDENTITY'])}`)
  if (below(10) === 0) found.push(`${pick(below, FIELD_NAMES)}: ${pick(below, ODD_VALUES)}`)
  return found
}

function body(below: Below): Uint8Array {
  if (below(400) === 0) return new Uint8Array(MAX_SIZED).fill(pick(below, [0x20, 0x5b, 0x30, 0x22]))
  return encode(below, bodyText(below)).subarray(0, MAX_SIZED)
}

export function fuzzRequest(below: Below): FuzzRequest {
  const method = weighted(below, [
    [8, () => 'POST'],
    [8, () => 'GET'],
    [2, () => 'HEAD'],
    [1, () => pick(below, METHODS)],
  ])
  const isPost = method === 'POST'
  const sent = isPost ? body(below) : below(12) === 0 ? body(below).subarray(0, 500) : undefined
  return {
    method,
    target: isPost && below(8) > 0 ? '/v1/pets' : target(below),
    fields: fields(below, sent !== undefined),
    body: sent,
    mayAdd: isPost,
  }
}
