import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { assertDescribed } from '../../support/described.ts'
import { type CompleteResponse, RawConnection } from '../../support/http.ts'
import { engines, startProcess } from '../../support/service.ts'
import { KEY } from './support/clients.ts'

const ROUNDS = 120
const PER_ROUND = 32

/** Stands for a cursor that the service issued. */
const CURSOR = '~CURSOR~'
const LINES =
  `GET /v1/pets,GET /v1/pets?limit=2,GET /v1/pets?limit=2&cursor=${CURSOR},GET /v1/pets?status=sold,GET /v1/pets/1,
  GET /v1/pets/9223372036854775808,HEAD /v1/pets/2,GET /v1,GET /livez,GET /openapi.json,POST /nothing,PUT /v1/pets,PATCH /v1/pets/1,DELETE /v1/pets/1,
  OPTIONS /v1/pets,TRACE /livez`.split(/,\s*/)
const BODIES = [
  '{"name":"Rex, the dog of the house","categoryId":7}',
  '{"name":"Mia","categoryId":1.0,"status":"sold"}',
  '',
]
const FIELDS = [
  ...['Idempotency-Key: a', 'Idempotency-Key: b', 'If-None-Match: *', 'If-Match: "x"', 'X-Request-Id: x'],
  'Content-Encoding: gzip',
]
const often = (field: string) => fc.constantFrom(...Array<string>(7).fill(field), 'A: b')
/** Texts that parsers, databases and pages stumble over; the longest ones last. */
const NASTY =
  String.raw`0 -1 01 1e19 3.0 3.5 9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775809 1e400 0x1
  NaN null true {} [] [ " "" \ \" \u0000 \ud800 \udc00\ud800 \ud83d\ude00 \x41 / // .. ; , : & = ? # * ' | < % %00 %2f %31 %zz %ff
  %c0%af __proto__ constructor "id":1, <script> ';-- é 😀 ١ sold limit= status= cursor= name`
    .split(/\s+/)
    .concat(
      ...' |\t|\u0001|\u007f|\u202e|\ufeff'.split('|'),
      '😀'.repeat(255),
      '['.repeat(5000),
      ' '.repeat(66_000),
    )
    .map(text => Buffer.from(text).toString('latin1'))
    // Cut in the middle of a character, too long, and a surrogate.
    .concat('\xff', '\xe2\x82', '\xc0\x80', '\xed\xa0\x80')

/** A valid request in a few parts of which something else was put, or nothing. All of its texts are bytes in Latin-1. */
const fuzzRequest = fc
  .record({
    line: fc.constantFrom(...LINES, ...Array<string>(LINES.length).fill('POST /v1/pets')),
    common: fc.tuple(often(KEY), often('Content-Type: application/json')),
    more: fc.subarray(FIELDS, { maxLength: 2 }),
    body: fc.constantFrom(...BODIES, ...BODIES, ...BODIES, ' '.repeat(66_000)),
    changes: fc.array(fc.tuple(fc.nat(8), fc.nat(99), fc.nat(4), fc.constantFrom(...NASTY)), {
      maxLength: 3,
    }),
  })
  .map(({ line, common, more, body, changes }) => {
    const [method = '', target = ''] = line.split(' ')
    const parts = [body, target, ...common, ...more]
    for (const [part, place, cut, text] of changes) {
      // Mostly the body.
      const changed = Math.max(0, part - 4) % parts.length
      const before = parts[changed] ?? ''
      const at = place % (before.length + 1)
      parts[changed] = before.slice(0, at) + text + before.slice(at + cut)
    }
    const [changedBody = '', changedTarget = '', ...fields] = parts
    return { method, target: changedTarget, body: changedBody, fields: ['Host: x', ...fields] }
  })
type FuzzRequest = typeof fuzzRequest extends fc.Arbitrary<infer Request> ? Request : never

function bytesOf({ method, target, fields, body }: FuzzRequest, cursor: string): Uint8Array {
  const length = body === '' ? [] : [`Content-Length: ${body.length}`]
  const head = [`${method} ${target.replace(CURSOR, cursor)} HTTP/1.1`, ...fields, ...length]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1')
}

test('no generated request gets a 5xx, stops the service, breaks the description or tells the engines apart', async () => {
  const services = await Promise.all(
    engines.map(async engine => startProcess({ databaseUrl: await engine.freshDatabaseUrl() })),
  )
  const cursors = services.map(() => 'none')
  const statuses = new Set<number>()
  const requests = fc.array(fuzzRequest, { minLength: PER_ROUND, maxLength: PER_ROUND })
  const round = fc.asyncProperty(requests, async sent => {
    for (const request of sent) {
      const answers = await Promise.all(
        services.map(async ({ url }, place) => {
          using connection = new RawConnection(url)
          connection.send(bytesOf(request, cursors[place] ?? ''))
          const answer = await connection.read(request.method)
          cursors[place] = /cursor=([^&]+)/.exec(answer.link('next') ?? '')?.[1] ?? cursors[place] ?? ''
          return answer
        }),
      )
      for (const answer of answers) {
        statuses.add(answer.status)
        check(request, answer)
        expect(comparable(answer)).toBe(comparable(answers[0] ?? answer))
      }
    }
  })
  await fc.assert(round, { numRuns: ROUNDS })
  for (const service of services) {
    expect(await service.stop()).toBe(0)
    expect(service.errors.text).toBe('')
    expect(service.output.text).not.toContain('"event":"request-failed"')
  }
  // Each kind of response must occur, or the generator is too weak.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 304, 400, 401, 404, 405, 413, 415]))
})

/** The listener answers what it cannot parse with a bare 400, 431 or 505; which one depends on how the bytes arrive. */
const isUnparsed = ({ status, text, headers }: CompleteResponse): boolean =>
  !headers.has('x-request-id') && text === '' && [400, 431, 505].includes(status)

function check(request: FuzzRequest, answer: CompleteResponse): void {
  if (isUnparsed(answer)) return
  expect(answer.status).toBeLessThan(500)
  // A fault of the request itself is the same for every operation, so the description leaves it out.
  if (answer.text.includes('"malformed_request"')) return
  // A path with special characters may name an operation or none; the engines must only agree.
  const [path = ''] = request.target.split('?', 1)
  if (/^\/v1(\/[\w/-]*)?$/.test(path)) assertDescribed(request.method, path, answer)
}

/** Without what differs between databases: each seals its own cursors, and the ETag of a page covers its cursor. */
function comparable(answer: CompleteResponse): string {
  if (isUnparsed(answer)) return 'unparsed'
  const hasCursor = answer.headers.get('link')?.includes('cursor=') === true
  const headers = [...answer.headers]
    .filter(([name]) => !/^(date|x-request-id)$/.test(name) && !(hasCursor && name === 'etag'))
    .map(([name, value]) => `${name}: ${value.replace(/cursor=[^&>]+/, 'cursor=')}`)
  return [answer.status, ...headers.sort(), answer.text].join('\n')
}
