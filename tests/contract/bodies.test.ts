import { expect, test } from 'bun:test'
import { BEARER, petJson, RawConnection, rawRequest, walk } from '../support/http.ts'
import { onOneEngine } from '../support/service.ts'

const LIMIT = 64 * 1024
const JSON_HEAD = ['POST /v1/pets HTTP/1.1', 'Host: x', 'Content-Type: application/json']
const KEYED = [...JSON_HEAD, BEARER]
const TOO_LARGE = '413 body_too_large'

onOneEngine('bodies', service => {
  test('64 KiB are read, one byte more is a 413, by length and by counting', async () => {
    const chunked = (body: string): ReadableStream => new Blob([body]).stream()
    for (const [size, outcome] of [
      [LIMIT, 201],
      [LIMIT + 1, TOO_LARGE],
    ] as const)
      for (const body of [petJson({}).padEnd(size), chunked(petJson({}).padEnd(size))]) {
        const headers = { 'Content-Type': 'application/json' }
        const answer = await service().fetch('/v1/pets', { method: 'POST', headers, body })
        expect(outcome === 201 ? answer.status : answer.failure).toBe(outcome)
      }
  })

  test.concurrent.each([LIMIT + 1, 10 ** 9, 10 ** 15])(
    'a length of %p is refused before the body',
    async length => {
      const answer = await rawRequest(service().url, [...JSON_HEAD, `Content-Length: ${length}`])
      expect([answer.failure, answer.headers.get('connection')]).toEqual([TOO_LARGE, 'close'])
    },
  )

  test('a caller that goes on sending still reads the 413, and the connection stays usable', async () => {
    using connection = new RawConnection(service().url)
    connection.request([...KEYED, `Content-Length: ${50 * 0x1000}`])
    for (let piece = 0; piece < 50; piece++) connection.send(' '.repeat(0x1000))
    expect((await connection.read()).failure).toBe(TOO_LARGE)
    connection.request(['GET /livez HTTP/1.1', 'Host: x'])
    expect(await connection.read()).toHaveStatus(200)
  })

  const spellings = ['application/json', 'Application/JSON']
  const parameters = ['application/json; charset=utf-8', 'application/json ;x="y"']
  test.each([...spellings, ...parameters])('of type %p are read', async type => {
    const headers = { 'Content-Type': type, 'Content-Encoding': 'Identity' }
    expect(await service().post(petJson({}), headers)).toHaveStatus(201)
  })

  const otherTypes = 'text/plain text/json application/x-www-form-urlencoded application/jsonp json'
  const twice = 'application/json; charset=utf-8, text/plain'
  const others = [...otherTypes.split(' '), '', twice].map(type => ({ 'Content-Type': type }))
  test.each([...others, { 'Content-Encoding': 'gzip' }])('with %j are a 415', async headers => {
    const answer = await service().post(petJson({}), headers)
    expect(answer.failure).toBe('415 unsupported_media_type')
    // Only where the coding was the problem (RFC 9110 15.5.16, RFC 7694).
    const accepted = 'Content-Encoding' in headers ? 'identity' : null
    expect(answer.headers.get('accept-encoding')).toBe(accepted)
  })

  const malformed: [string, string | Uint8Array, string][] = [
    ['nothing', '', 'The body is empty.'],
    ['white space', ' \n', 'at line 2, column 1: it ends before it is complete.'],
    ['single quotes', "{'name':'Rex'}", 'column 2: use double quotation marks (").'],
    ['a trailing comma', '{\r\n\t"name":"Rex",\n}', 'line 3, column 1: remove the comma before it.'],
    ['a missing comma', '{"name":"Rex"\n"a":1,\n"b":2}', 'line 2, column 1.'],
    ['a comment', '{"name":"Rex"} // Rex', 'column 16: it is text after the JSON value.'],
    ['a line separator', '{"name":"\\\u2028"}', 'column 10.'],
    ['a number with a leading zero', '{"categoryId":007}', 'column 16.'],
    ['a raw line break in a string', '{"a":[1,"\\"\\u00e9"],"name":"R\nex"}', 'line 2, column 1.'],
    ['invalid UTF-8', Buffer.from('{"name":"R\xe9x"}', 'latin1'), 'not UTF-8 at character 11.'],
    ['invalid UTF-8 after a mark', Buffer.from('\xef\xbb\xbf"\xef\xbf\xbd\xe9', 'latin1'), 'at character 3.'],
    ['UTF-8 that is cut in a U+FFFD', Buffer.from('{}\xef\xbf', 'latin1'), 'at character 3.'],
    ['UTF-8 that is cut', Buffer.from('{"name":"Rex"}\xf0\x9f', 'latin1'), 'not UTF-8 at character 15.'],
    ['UTF-16', Buffer.from('{"name":"Rex"}', 'utf16le'), 'column 2.'],
    ['strings without commas', `{"name":""x${'🐾"'.repeat(20)}`, 'column 11.'],
    ['nested without an end', '['.repeat(100), 'column 101: it ends before it is complete.'],
  ]
  test.each(malformed)('that are %s are a 400 that says where', async (_what, body, place) => {
    const answer = await service().post(body)
    expect(answer.failure).toBe('400 malformed_json')
    expect(JSON.parse(answer.text).message).toContain(place)
  })

  test('may nest 64 levels and hold 128 values; beyond that they are a 400 that says so', async () => {
    const withX = (x: string) => service().post(`{"name":"Rex","categoryId":7,"x":${x}}`)
    const nested = (levels: number, inside: string) =>
      withX(`${'['.repeat(levels)}${inside}${']'.repeat(levels)}`)
    const listed = (values: number, value: string) => withX(`[${Array(values - 4).fill(value)}]`)
    for (const inside of ['', '1', '1.5', '"x"', '12345678901234567890']) {
      expect(await nested(63, inside)).toHaveStatus(201)
      const answer = await nested(29_999, inside)
      expect(answer.failure).toBe('400 invalid_body')
      expect(answer.text).toContain('it has more than 128 values')
    }
    for (const value of ['1', '1.5', '""', '[]', '{ }', '"[{,\\""', '"\\\\\\",["']) {
      expect(await listed(128, value)).toHaveStatus(201)
      expect((await listed(129, value)).failure).toBe('400 invalid_body')
    }
    for (const body of ['['.repeat(60_000), '{"a":'.repeat(13_000)])
      expect(await service().post(body)).toHaveStatus(400)
  })

  test('with names of built-in properties are taken for plain fields', async () => {
    const body = '{"__proto__":{"status":"sold"},"constructor":1,"toString":2,"name":"Rex","categoryId":7}'
    expect((await service().post(body)).pet.status).toBe('available')
    const inherited = await service().post('{"__proto__":{"name":"Rex","categoryId":7}}')
    expect(inherited.failure).toBe('400 invalid_body')
  })

  const whole = petJson({ name: 'gone' })
  test.each([
    ['Content-Length: 29', '{"name":'],
    ['Content-Length: 9000', whole],
    ['Transfer-Encoding: chunked', `${whole.length.toString(16)}\r\n${whole}\r\n`],
  ])('that break off (%s) are no fault of the service, and add nothing', async (length, sent) => {
    const connection = new RawConnection(service().url)
    const requestId = crypto.randomUUID()
    connection.request([...KEYED, `X-Request-Id: ${requestId}`, length, 'Expect: 100-continue'], sent)
    expect(await connection.read()).toHaveStatus(100)
    connection.end()
    const { status } = await service().output.entry(line => line.requestId === requestId)
    expect(status).toBe(400)
    expect(service().output.log.filter(line => line.level === 'error')).toEqual([])
    expect((await walk(service(), '/v1/pets')).pets.map(({ name }) => name)).not.toContain('gone')
  })
})
