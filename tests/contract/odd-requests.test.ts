import { beforeAll, expect, test } from 'bun:test'
import { petJson, RawConnection, rawRequest } from '../support/http.ts'
import { API_KEY, onOneEngine } from '../support/service.ts'

onOneEngine('odd requests', service => {
  beforeAll(() => service().addAnimals(3))
  const open = (bytes: string): RawConnection => {
    const connection = new RawConnection(service().url)
    connection.send(bytes)
    return connection
  }

  const LONGEST_HOST = `${'x'.repeat(253)}:65535`
  const noHosts = 'a b|x/v1/pets/2|x?limit=0|x#y|://|user@x:99999|x\\y|x"y|é|x\ty'.split('|')
  test.each([...noHosts, `${LONGEST_HOST}0`])(
    'the Host %p is a 400, because no host has such a character or length',
    async host => {
      for (const path of ['/v1/pets', '/v1/nothing', '/livez', '/docs'])
        expect((await rawRequest(service().url, [`GET ${path} HTTP/1.1`, `Host: ${host}`])).failure).toBe(
          '400 malformed_request',
        )
    },
  )

  const hosts = ['[::1', '', '%', "it's", 'x:99999', 'a,b', '~!$&()*+;=', LONGEST_HOST]
  const targets = ['http://evil.example', 'https://evil.example:99', 'http://[::1]:1']
  test.each([...hosts.map(host => [host, ''] as const), ...targets.map(address => ['x', address] as const)])(
    'the Host %p and the address %p before the path change nothing',
    async (host, address) => {
      const get = (path: string) =>
        rawRequest(service().url, [`GET ${address}${path} HTTP/1.1`, `Host: ${host}`])
      expect((await get('/v1/pets/1')).pet.id).toBe(1n)
      const page = await get('/v1/pets?limit=2')
      expect(page.pets.map(({ id }) => id)).toEqual([1n, 2n])
      expect(page.link('next')).toStartWith('/v1/pets?')
    },
  )

  test('HTTP/1.0 is answered and the connection closed', async () => {
    const connection = open(`GET /v1/pets/1 HTTP/1.0\r\nAuthorization: Bearer ${API_KEY}\r\n\r\n`)
    expect((await connection.read()).pet.id).toBe(1n)
    await connection.untilClosed()
  })

  test('a request sent behind one that takes time ends the connection, and none gets the response of another', async () => {
    const body = petJson({})
    const head = `Authorization: Bearer ${API_KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
    const post = `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`
    const connection = open(`${post}GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`)
    // The runtime sends no byte, so the caller knows that it has no response.
    await expect(connection.read()).rejects.toThrow(/closed after: $/)
  })

  test.each([
    'GET\r\n\r\n',
    // A server should ignore this empty line (RFC 9112 2.2), but the runtime does not; docs/guarantees.md says so.
    '\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
    '\x16\x03\x01\x02\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ])('%p is refused once, the connection closed, and the service lives on', async bytes => {
    const connection = open(bytes)
    await connection.untilClosed()
    expect(await connection.read()).toHaveStatus(400)
    await expect(connection.read()).rejects.toThrow('closed')
    expect(await service().fetch('/livez')).toHaveStatus(200)
  })
})
