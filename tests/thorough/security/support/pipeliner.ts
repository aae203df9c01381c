import { connect } from 'node:net'
import { API_KEY } from '../../../support/service/service.ts'

const KEY = `Authorization: Bearer ${API_KEY}\r\n`

/** Requests that are answered without waiting for anything. `{etag}` stands for the tag of the list. */
export const KINDS = {
  'GET without a key': 'GET /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST without a key': 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
  'an unknown path': 'GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n',
  '/livez': 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
  HEAD: 'HEAD /livez HTTP/1.1\r\nHost: x\r\n\r\n',
  OPTIONS: 'OPTIONS /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n',
  'a wrong method': 'DELETE /livez HTTP/1.1\r\nHost: x\r\n\r\n',
  'list with a key': `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
  '304 with a key': `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${KEY}If-None-Match: {etag}\r\n\r\n`,
  'a page': 'GET /docs HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nIf-None-Match: *\r\n\r\n',
  'a query of many parameters': `GET /v1/pets?${'limit=1&'.repeat(1900)} HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`,
  'an upgrade': 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
} as const
export type Kind = keyof typeof KINDS

const AT_ONCE_BYTES = 64 * 1024

/** Sends one request over and over on each of some connections, as fast as the service reads it; a closed one is opened again. */
function attack(url: string, request: string, connections: number): void {
  const { hostname, port } = new URL(url)
  const batch = Buffer.from(request.repeat(Math.ceil(AT_ONCE_BYTES / request.length)))
  const open = (): void => {
    const socket = connect(Number(port), hostname)
    const send = (): void => {
      while (socket.write(batch));
    }
    socket.on('connect', send)
    socket.on('drain', send)
    socket.on('error', () => {})
    socket.on('close', open)
    socket.resume()
  }
  for (let n = 0; n < connections; n++) open()
}

// A process of its own: in one that also measures, each would slow down the other.
if (import.meta.main) {
  const [url = '', request = '', connections = '1'] = process.argv.slice(2)
  attack(url, request, Number(connections))
}
