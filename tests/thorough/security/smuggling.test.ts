import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { petJson } from '../../support/http/exact.ts'
import { rawRequest } from '../../support/http/raw-http.ts'
import { onEveryEngineAsProcess } from '../../support/service/engines.ts'
import { API_KEY } from '../../support/service/service.ts'
import { AMBIGUOUS } from './support/ambiguous.ts'

const QUIET_MS = 250
const KEY = `Authorization: Bearer ${API_KEY}`

/** Everything received for these bytes until the connection is closed or idle. */
const exchangeBytes = (url: string, bytes: string): Promise<{ text: string; isClosed: boolean }> =>
  new Promise(resolve => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ''
    const finish = (isClosed: boolean): void => {
      resolve({ text, isClosed })
      socket.destroy()
    }
    let quiet = setTimeout(finish, 2000, false)
    socket.on('connect', () => socket.write(Buffer.from(bytes, 'latin1')))
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      clearTimeout(quiet)
      quiet = setTimeout(finish, QUIET_MS, false)
    })
    socket.on('error', () => {})
    socket.on('close', () => finish(true))
  })

/** Final answers, without `100 Continue`. */
const statuses = (text: string): string[] =>
  [...text.matchAll(/^HTTP\/1\.1 ([2-5]\d\d)/gm)].map(([, status]) => status ?? '')

onEveryEngineAsProcess('bytes that can be read in two ways', service => {
  test.each(Object.keys(AMBIGUOUS))('%s: no request hidden in them is served', async name => {
    const before = (await service().fetch('/v1/pets')).text
    const { text, isClosed } = await exchangeBytes(service().url, AMBIGUOUS[name] ?? '')
    expect(text).not.toContain('{"status":"ok"}')
    const answers = statuses(text)
    // After our answer, the runtime may report that it cannot parse the rest: a 400 without a body, then a close.
    const isFarewell = isClosed && text.endsWith('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    expect(answers.length).toBeLessThanOrEqual(isFarewell ? 2 : 1)
    expect(answers.length > 0 || isClosed).toBe(true)
    for (const status of answers) expect(Number(status) < 500 || status === '505').toBe(true)
    expect((await service().fetch('/v1/pets')).text).toBe(before)
  })

  test('an encoded line break in a path, a query or a request id never becomes one in the answer', async () => {
    const targets = [
      '/v1/pets/%0d%0aX-Evil:%20y',
      '/v1/pets?cursor=%0d%0aX-Evil:%20y',
      '/v1/%E5%98%8A%E5%98%8DX-Evil:y',
    ]
    for (const target of targets)
      for (const id of ['a', 'a%0d%0aX-Evil: y', 'a\xe5\x98\x8aX-Evil: y']) {
        const answer = await rawRequest(service().url, [
          `GET ${target} HTTP/1.1`,
          'Host: x',
          `X-Request-Id: ${id}`,
        ])
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.headers.has('x-evil')).toBe(false)
        expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9\-_.]{1,128}$/)
      }
  })

  test('an Idempotency-Key of any bytes is kept out of the headers and breaks nothing', async () => {
    for (const key of ['a\xffb', '\xe5\x98\x8a', "'; DROP TABLE pets; --", 'x'.repeat(255)])
      for (const expected of [201, 201]) {
        const body = petJson({})
        const answer = await rawRequest(
          service().url,
          [
            'POST /v1/pets HTTP/1.1',
            'Host: x',
            'Content-Type: application/json',
            `Idempotency-Key: ${key}`,
            `Content-Length: ${body.length}`,
          ],
          body,
        )
        expect(answer.status).toBe(expected)
      }
  })

  test('TRACE shows nothing, CONNECT and Upgrade lead nowhere', async () => {
    for (const lines of [
      ['TRACE /v1/pets HTTP/1.1', 'Host: x', KEY, 'X-Secret: canary'],
      ['CONNECT 127.0.0.1:80 HTTP/1.1', 'Host: x', KEY],
      [
        'GET /v1/pets HTTP/1.1',
        'Host: x',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
      ],
      ['GET /v1/pets HTTP/1.1', 'Host: x', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c'],
    ]) {
      const { text } = await exchangeBytes(service().url, `${lines.join('\r\n')}\r\n\r\n`)
      expect(text).not.toContain('canary')
      expect(statuses(text)).toHaveLength(1)
      expect(['401', '404', '405']).toContain(statuses(text)[0] ?? '')
    }
  })

  test('Expect: 100-continue is met once, and one answer follows; any other expectation is ignored', async () => {
    const body = petJson({})
    for (const [expectation, key, final] of [
      ['100-continue', KEY, '201'],
      ['100-continue', 'X: y', '401'],
      ['200-ok', KEY, '201'],
    ]) {
      const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${key}\r\nContent-Type: application/json\r\nExpect: ${expectation}`
      const { text } = await exchangeBytes(
        service().url,
        `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      expect(statuses(text)).toEqual([final ?? ''])
      expect(text.match(/^HTTP\/1\.1 100/gm)?.length ?? 0).toBe(expectation === '100-continue' ? 1 : 0)
    }
  })
})
