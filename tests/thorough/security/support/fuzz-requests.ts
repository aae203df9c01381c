import fc from 'fast-check'
import { KEY } from './clients.ts'

/** One request. `CURSOR` in its target stands for a cursor that the service issued. */
export interface FuzzRequest {
  readonly method: string
  readonly target: string
  readonly fields: readonly string[]
  readonly body: Uint8Array | undefined
}

export const CURSOR = '~CURSOR~'
/** Words that the listener does not accept as a method: it closes the connection. */
export const UNKNOWN_METHODS = ['get', 'FOO']

/** One of the words of a text, or of some more strings. */
const one = (text: string, ...more: string[]) => fc.constantFrom(...text.trim().split(/\s+/), ...more)
const often = <T>(times: number, usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: times, arbitrary: usual }, { weight: 1, arbitrary: odd })
/** Present in one of `oneIn` requests. */
const rarely = <T>(oneIn: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  often<T | undefined>(oneIn - 1, fc.constant(undefined), arbitrary)
const join = (item: fc.Arbitrary<string>, maxLength: number, glue = '') =>
  fc.array(item, { maxLength }).map(items => items.join(glue))

const small = fc.integer({ min: 1, max: 50 }).map(String)
const edge = one(
  `0 -0 -1 9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809
  9223372036854775807.0 922337203685477580.7e1 1e18 1e19 1e309 1e-400 3.0 3e0 30e-1 3.5 1E5 00 01 - +1 .5 5. 1e 0x10 1_0 NaN
  -Infinity 1n ١ 1e${'9'.repeat(30)} 1${'0'.repeat(400)} 0.${'0'.repeat(300)}1`,
)
const number = often(2, edge, fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(String))
const characters = one(
  String.raw`Rex sold null 3 __proto__ toString \u0000 \ud800 \udc00\ud800 \ud83d\ude00 \u00 \x41 \ \n é 😀 <script> %00 %s%n`,
  ..."| |e\u0301|\u202e|\ufeff|\u2028|\t|'; DROP TABLE pets; --".split('|'),
  ...['😀'.repeat(255), 'x'.repeat(256)],
)
const quoted = join(characters, 8).map(content => `"${content}"`)
const text = often(8, quoted, one(`'x' "x x" "x\\"`, '"\u0001"'))
const name = one(String.raw`name categoryId status id __proto__ constructor toString NAME n\u0061me`, '')
const nested = fc
  .tuple(fc.constantFrom(2, 50, 5000, 20_000), one('[] {"a":} [[],]'), fc.nat(1))
  .map(([depth, pair, close]) => pair.slice(0, -1).repeat(depth) + 1 + pair.slice(-1).repeat(depth * close))
const words = one('true false null undefined nul // /**/1')
const value = fc.oneof(number, text, words, nested, fc.json({ maxDepth: 3 }))
const field = (name: string, of: fc.Arbitrary<string>) => of.map(content => `"${name}":${content}`)
const anyField = fc.tuple(name, value).map(([of, what]) => `"${of}":${what}`)
const plainName = small.map(n => `"animal ${n}"`)
/** An animal with mostly valid fields, so that the invalid one decides. */
const nearlyPet = fc
  .tuple(
    often(9, field('name', often(2, plainName, text)), anyField),
    often(9, field('categoryId', often(2, small, number)), anyField),
    rarely(2, field('status', often(2, one('"available" "sold"'), value))),
    rarely(3, anyField),
  )
  .map(fields => `{${fields.filter(field => field !== undefined).join(', ')}}`)

/** Invalid UTF-8: lone continuations, cut sequences, overlong forms, surrogates, beyond U+10FFFF, not UTF-8 at all. */
const broken = one(
  '80 c080 c2 c220 e08080 e282 eda080 eda080edb080 f0808080 f09f98 f4908080 f888808080 ff feff 00 efbbbf',
)
const body = fc
  .tuple(often(3, nearlyPet, often(5, value, fc.constant(''))), fc.nat(59), fc.nat(65_536), broken)
  .map(([content, damage, place, hex]): Uint8Array => {
    const bytes = Buffer.from(content)
    const at = place % (bytes.length + 1)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    if (damage === 0) return Buffer.alloc(66_000, content || ' ')
    if (damage <= 3) return Buffer.from(content, 'utf16le')
    if (damage <= 6) return before
    return damage <= 12 ? Buffer.concat([before, Buffer.from(hex, 'hex'), after]) : bytes
  })

const piece = one(
  String.raw`/ // . .. %2e%2e %2f %00 % %zz %c0%af %ff %u0041 %25 ; ;a=b \ pets v1 PETS 1 * ~ #x | ^ " <`,
  ...['\xe2\x82\xac', '\xff', '\x7f', 'a'.repeat(300)],
)
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constant('/v1/pets') },
  { weight: 4, arbitrary: often(2, small, edge.map(encodeURIComponent)).map(id => `/v1/pets/${id}`) },
  one(
    '/v1 /v1/ /v1/pets/ /livez /openapi.json /nothing /v1/store/orders /v1/pets/%31 /v1/pets/1/2 http://evil.example/v1',
  ),
  join(piece, 4).map(pieces => `/v1/pets${pieces}`),
  join(piece, 6).map(pieces => `/${pieces}`),
)
const parameter = fc.oneof(
  often(1, small, edge.map(encodeURIComponent)).map(limit => `limit=${limit}`),
  one('available sold Sold sold%20 %00 avail%61ble []', '').map(status => `status=${status}`),
  one(`${CURSOR} ${CURSOR} ${CURSOR}x % %ff AAAA`, '', 'a'.repeat(500)).map(cursor => `cursor=${cursor}`),
  one('x=1 limit && = limit[]=1 limit%00=1 %6cimit=5 __proto__=1 constructor=x %=% +=+ %c0%80=1'),
)
const query = join(parameter, 4, '&').map(parameters => `?${parameters}`)
const target = fc.tuple(path, rarely(2, query)).map(parts => parts.join(''))

const odd = one(
  'a * "" W/"x" , 0 -1 key-1 key-2 __proto__ %0d%0a',
  ..."|\xff\xfe|a\tb|' OR 1=1 --".split('|'),
  'x'.repeat(300),
)
const line = (field: string, values: fc.Arbitrary<string>) => values.map(of => `${field}: ${of}`)
const common = [
  often(19, fc.constant('Host: x'), line('Host', one('[::1 x:99999 x/y?z#w', '', 'a b', '\xff'))),
  often(12, fc.constant(KEY), one('A:b Authorization: Authorization:Bearer', `${KEY}x`)),
  ...['Idempotency-Key', 'If-None-Match', 'If-Match', 'X-Request-Id'].map(name => rarely(6, line(name, odd))),
  rarely(10, line('X-HTTP-Method-Override', odd)),
  rarely(30, line('Content-Encoding', one('identity gzip', ''))),
  line(
    'Content-Type',
    often(6, fc.constant('application/json'), one('text/plain json application/json;', '')),
  ),
]
const request = (
  method: fc.Arbitrary<string>,
  where: fc.Arbitrary<string>,
  content: fc.Arbitrary<FuzzRequest['body']>,
) =>
  fc
    .record({ method, target: where, body: content, fields: fc.tuple(...common) })
    .map((made): FuzzRequest => ({ ...made, fields: made.fields.filter(field => field !== undefined) }))
const otherMethod = one('PUT PATCH DELETE OPTIONS TRACE PROPFIND', ...UNKNOWN_METHODS)

/** Requests of every kind, most of them almost valid. They shrink to the part that matters. */
export const fuzzRequest = often(
  1,
  request(fc.constant('POST'), often(7, fc.constant('/v1/pets'), target), body),
  request(often(8, one('GET GET GET HEAD'), otherMethod), target, rarely(12, body)),
)

/** The bytes of a request. Some bodies are sent in chunks. */
export function bytesOf({ method, target, fields, body }: FuzzRequest, cursor: string): Uint8Array {
  const head = `${method} ${target.replaceAll(CURSOR, cursor)} HTTP/1.1\r\n${fields.join('\r\n')}\r\n`
  const framed = (framing: string, ...content: (string | Uint8Array)[]) =>
    Buffer.concat([head + framing, ...content].map(part => Buffer.from(part as string, 'latin1')))
  if (body === undefined) return framed('\r\n')
  if (body.length % 5 !== 1) return framed(`Content-Length: ${body.length}\r\n\r\n`, body)
  const [one, two] = [body.subarray(0, 1), body.subarray(1)]
  const chunks = [one, two].filter(({ length }) => length > 0)
  const sized = chunks.flatMap(chunk => [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n'])
  return framed('Transfer-Encoding: chunked\r\n\r\n', ...sized, '0\r\n\r\n')
}
