import { beforeAll, expect, test } from 'bun:test'
import { petJson, RawConnection, rawRequest } from '../support/http.ts'
import { API_KEY, onEveryEngine } from '../support/service.ts'

onEveryEngine('odd requests', service => {
  beforeAll(async () => {
    for (let n = 0; n < 3; n++) await service().post(petJson({ name: `animal ${n}` }))
  })

  const hosts = ['a b', 'x/v1/pets/2', 'x?limit=0', 'x#y', '[::1', '://', 'user@x:99999', '', '%', 'x\\y']
  test.each(hosts)('the Host %p changes nothing', async host => {
    const animal = await rawRequest(service().url, ['GET /v1/pets/1 HTTP/1.1', `Host: ${host}`])
    expect(animal.status).toBe(200)
    expect(animal.pet.id).toBe(1n)
    const page = await rawRequest(service().url, ['GET /v1/pets?limit=2 HTTP/1.1', `Host: ${host}`])
    expect(page.pets.map(({ id }) => id)).toEqual([1n, 2n])
    expect(page.link('next')).toStartWith('/v1/pets?')
  })

  test.each(['http://evil.example', 'https://evil.example:99', 'http://[::1]:1'])(
    'a target with an address, %s, is read for its path and query',
    async address => {
      const animal = await rawRequest(service().url, [`GET ${address}/v1/pets/2 HTTP/1.1`, 'Host: x'])
      expect(animal.pet.id).toBe(2n)
      const page = await rawRequest(service().url, [`GET ${address}/v1/pets?limit=1 HTTP/1.1`, 'Host: x'])
      expect(page.pets).toHaveLength(1)
      expect(page.link('next')).toStartWith('/v1/pets?')
    },
  )

  test('HTTP/1.0 is answered and the connection closed', async () => {
    const connection = new RawConnection(service().url)
    connection.send(`GET /v1/pets/1 HTTP/1.0\r\nAuthorization: Bearer ${API_KEY}\r\n\r\n`)
    expect((await connection.read()).pet.id).toBe(1n)
    expect(await connection.untilClosed()).toBe(true)
  })

  test('requests sent in one go are answered in their order', async () => {
    const connection = new RawConnection(service().url)
    const targets = ['/livez', '/nothing', '/openapi.json', '/v1/pets', '/livez']
    connection.send(targets.map(target => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
    const statuses: number[] = []
    for (const _ of targets) statuses.push((await connection.read()).status)
    expect(statuses).toEqual([200, 404, 200, 401, 200])
    connection.end()
  })

  test('a request sent behind one that takes time never gets the answer of another', async () => {
    const body = petJson({ name: 'Rex' })
    const head = [
      `Authorization: Bearer ${API_KEY}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const post = `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${head.join('\r\n')}\r\n\r\n${body}`
    const connection = new RawConnection(service().url)
    connection.send(`${post}GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`)
    // The runtime may close the connection instead; then the caller knows that it has no answer.
    const first = await connection.read().catch(() => undefined)
    expect(first?.status ?? 201).toBe(201)
    connection.end()
    expect((await service().fetch('/livez')).status).toBe(200)
  })

  test.each(['GET\r\n\r\n', '\x16\x03\x01\x02\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'])(
    'bytes that are no HTTP, %p, are refused, and the service lives on',
    async bytes => {
      const connection = new RawConnection(service().url)
      connection.send(bytes)
      expect((await connection.read()).status).toBe(400)
      expect(await connection.untilClosed()).toBe(true)
      expect((await service().fetch('/livez')).status).toBe(200)
    },
  )

  test('two lengths, or a length and chunks, are refused: nothing can be smuggled', async () => {
    for (const lines of [
      ['Content-Length: 5', 'Content-Length: 6'],
      ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      ['Content-Length: -1'],
      ['Transfer-Encoding: gzip, chunked'],
    ]) {
      const connection = new RawConnection(service().url)
      connection.send(
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n`,
      )
      await connection.untilClosed()
      expect((await connection.read()).status).toBe(400)
      await expect(connection.read()).rejects.toThrow('closed')
    }
  })
})
