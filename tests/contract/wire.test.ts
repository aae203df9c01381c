import { beforeAll, expect, test } from 'bun:test'
import { petJson, RawConnection, rawRequest } from '../support/http.ts'
import { API_KEY, onEveryEngine } from '../support/service.ts'

const KEY = `Authorization: Bearer ${API_KEY}`
const JSON_TYPE = 'Content-Type: application/json'

onEveryEngine('the bytes of a request', service => {
  beforeAll(async () => {
    await service().post(petJson({}))
  })
  const animals = async (): Promise<number> => (await service().fetch('/v1/pets?limit=100')).pets.length
  const post = (name: string): string[] => ['POST /v1/pets HTTP/1.1', 'Host: x', JSON_TYPE, name]

  test.each(['/v1/pets', '/livez', '/nothing'])('two Host lines at %s are a 400', async path => {
    const answer = await rawRequest(service().url, [`GET ${path} HTTP/1.1`, 'Host: a', 'Host: b'])
    expect(answer.failure).toBe('400 malformed_request')
  })

  test('two Idempotency-Key lines are a 400, and add nothing', async () => {
    const before = await animals()
    const body = petJson({})
    const lines = [...post('Idempotency-Key: a'), 'Idempotency-Key: b', `Content-Length: ${body.length}`]
    const answer = await rawRequest(service().url, lines, body)
    expect(answer.failure).toBe('400 invalid_idempotency_key')
    expect(answer.text).toContain('must be sent once')
    expect(await animals()).toBe(before)
  })

  test('a path is the same with and without needless escapes', async () => {
    const list = await service().fetch('/v1/pets?limit=1')
    for (const path of ['/v1/%70ets?limit=1', '/%76%31/pets?limit=1', '/v1/p%65%74s?limit=1'])
      expect((await rawRequest(service().url, [`GET ${path} HTTP/1.1`, 'Host: x'])).text).toBe(list.text)
    for (const path of ['/v1/pets/%31', '/v1/%70ets/1', '/v1/%70ets/%31']) {
      const animal = await rawRequest(service().url, [`GET ${path} HTTP/1.1`, 'Host: x'])
      expect(animal.pet.id).toBe(1n)
      expect(animal.headers.has('deprecation')).toBe(true)
    }
    const unknown = await rawRequest(service().url, ['GET /v1/pets%2F1 HTTP/1.1', 'Host: x'])
    expect(unknown.failure).toBe('404 route_not_found')
    const connection = new RawConnection(service().url)
    connection.send('GET /%76%31/nothing HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.read()).failure).toBe('401 missing_api_key')
    connection.end()
  })

  test.each(['100-continue', '100-Continue', '200-ok'])(
    'Expect: %s does not change the response',
    async expected => {
      const body = petJson({})
      const lines = [...post(`Expect: ${expected}`), `Content-Length: ${body.length}`]
      const connection = new RawConnection(service().url)
      connection.send(`${[...lines, KEY].join('\r\n')}\r\n\r\n${body}`)
      if (expected === '100-continue') expect((await connection.read()).status).toBe(100)
      expect((await connection.read()).status).toBe(201)
      connection.end()
    },
  )

  test.each(['GET', 'HEAD'])('the body of a %s is no request', async method => {
    const hidden = 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n'
    const connection = new RawConnection(service().url)
    connection.send(`${method} /livez HTTP/1.1\r\nHost: x\r\nContent-Length: ${hidden.length}\r\n\r\n`)
    connection.send(`${hidden}GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect((await connection.read(method)).status).toBe(200)
    expect((await connection.read()).failure).toBe('404 route_not_found')
    connection.end()
  })

  const chunked = (trailer: string): string => `1d\r\n${petJson({})}\r\n0\r\n${trailer}\r\n\r\n`

  test('an announced trailer is a 400, and nothing is stored', async () => {
    const before = await animals()
    const lines = [...post('Trailer: X-Checksum'), 'Transfer-Encoding: chunked']
    const answer = await rawRequest(service().url, lines, chunked('X-Checksum: 1'))
    expect(answer.failure).toBe('400 malformed_request')
    expect(await animals()).toBe(before)
  })

  test('a trailer that was not announced is a 400 too, and nothing is stored', async () => {
    const before = await animals()
    for (let n = 0; n < 5; n++) {
      const lines = [...post('X: y'), 'Transfer-Encoding: chunked']
      expect((await rawRequest(service().url, lines, chunked('X-Checksum: 1'))).status).toBe(400)
    }
    expect(await animals()).toBe(before)
  })

  test('a chunked body without trailers is stored', async () => {
    const body = petJson({})
    const lines = [...post('X: y'), 'Transfer-Encoding: chunked']
    const bytes = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    expect((await rawRequest(service().url, lines, bytes)).status).toBe(201)
  })

  test.each([
    ['1,900 chunks is stored', 1900, 201],
    ['2,100 chunks is a 413, and ends the connection', 2100, 413],
  ])('a body in %s', async (_what, count, status) => {
    const before = await animals()
    const body = petJson({}).padEnd(count)
    const connection = new RawConnection(service().url)
    connection.send(`${[...post(KEY), 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`)
    connection.send(`${[...body].map(byte => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`)
    const answer = await connection.read()
    expect(answer.status).toBe(status)
    if (status === 413) await connection.untilClosed()
    connection.end()
    expect(await animals()).toBe(status === 201 ? before + 1 : before)
  })

  test('of requests that are sent at once 200 at most are answered, in order, and the next closes the connection', async () => {
    const connection = new RawConnection(service().url)
    const requests = Array.from(
      { length: 300 },
      (_, n) => `GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-Id: n${n}\r\n\r\n`,
    )
    connection.send(requests.join(''))
    await connection.untilClosed()
    const ids: (string | null)[] = []
    for (let isOver = false; !isOver; )
      await connection.read().then(
        answer => ids.push(answer.headers.get('x-request-id')),
        () => {
          isOver = true
        },
      )
    expect(ids.length).toBeWithin(1, 201)
    expect(ids).toEqual(ids.map((_, n) => `n${n}`))
  })

  test('every fault of a query is named at once', async () => {
    const { failure, text } = await service().fetch('/v1/pets?limit=0&status=x&cursor=y')
    expect(failure).toBe('400 invalid_query')
    for (const part of ['limit must be', 'status must be', 'cursor must be']) expect(text).toContain(part)
  })

  test.each(['9223372036854775808', '-9223372036854775809', '99999999999999999999'])(
    'the identifier %s is out of range, and the 404 says so',
    async id => {
      const { failure, text } = await service().fetch(`/v1/pets/${id}`)
      expect(failure).toBe('404 pet_not_found')
      expect(text).toContain('from -9223372036854775808 to 9223372036854775807')
    },
  )

  test('a name of white space alone is refused, whichever Unicode has', async () => {
    for (const space of ['\u0085', '\u00a0', '\u1680', '\u2003', '\u2028', '\u3000', ' \t\u0085\n'])
      expect((await service().post(petJson({ name: space }))).failure).toBe('400 invalid_body')
    expect((await service().post(petJson({ name: '\ufeff' }))).status).toBe(201)
  })
})
