import { beforeAll, describe, expect, test } from 'bun:test'
import { petJson } from '../support/http/exact.ts'
import { RawConnection, rawRequest } from '../support/http/raw-http.ts'
import { onEveryEngine } from '../support/service/engines.ts'
import { API_KEY } from '../support/service/service.ts'

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

  describe('Expect in a spelling that the runtime does not know', () => {
    test.each([
      ['401 missing_api_key', ['POST /v1/pets HTTP/1.1', JSON_TYPE, 'Content-Length: 29']],
      ['405 method_not_allowed', ['PUT /v1/pets HTTP/1.1', KEY, JSON_TYPE, 'Content-Length: 29']],
      ['413 body_too_large', ['POST /v1/pets HTTP/1.1', KEY, JSON_TYPE, 'Content-Length: 70000']],
      ['415 unsupported_media_type', ['POST /v1/pets HTTP/1.1', KEY, 'Content-Length: 29']],
    ])('is answered at once with what the head decides: %s', async (failure, lines) => {
      const took: number[] = []
      for (const expected of ['100-Continue', '100-CONTINUE', '200-ok']) {
        const started = performance.now()
        const connection = new RawConnection(service().url)
        connection.send(`${[...lines, 'Host: x', `Expect: ${expected}`].join('\r\n')}\r\n\r\n`)
        const answer = await connection.read()
        expect(answer.failure).toBe(failure)
        expect(answer.headers.get('connection')).toBe('close')
        await connection.untilClosed()
        took.push(performance.now() - started)
      }
      // The quickest, since a busy machine may delay any of them.
      expect(Math.min(...took)).toBeLessThan(900)
    })
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
