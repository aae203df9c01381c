import { connect, type Socket } from 'node:net'
import { API_KEY } from '../../../support/service/service.ts'

const DRIP_EVERY_MS = 1000

/** What a slow client sends at once, and what it sends bit by bit. */
export interface Slowness {
  readonly first: string
  readonly drip: string
}

const head = (line: string, ...fields: string[]): string => `${[line, 'Host: x', ...fields].join('\r\n')}\r\n`
const KEY = `Authorization: Bearer ${API_KEY}`
const JSON_TYPE = 'Content-Type: application/json'

export const SLOWNESS = {
  head: { first: head('GET /v1/pets HTTP/1.1'), drip: 'X: y\r\n' },
  'body with a key': {
    first: `${head('POST /v1/pets HTTP/1.1', KEY, JSON_TYPE, 'Content-Length: 60000')}\r\n`,
    drip: ' ',
  },
  'body without a key': {
    first: `${head('POST /v1/pets HTTP/1.1', JSON_TYPE, 'Content-Length: 60000')}\r\n`,
    drip: ' ',
  },
  'chunked body': {
    first: `${head('POST /v1/pets HTTP/1.1', KEY, JSON_TYPE, 'Transfer-Encoding: chunked')}\r\n`,
    drip: '1\r\n \r\n',
  },
  'body that is too large': {
    first: `${head('POST /v1/pets HTTP/1.1', KEY, JSON_TYPE, 'Content-Length: 1000000')}\r\n`,
    drip: ' ',
  },
} as const satisfies Record<string, Slowness>

export type Kind = keyof typeof SLOWNESS

/** Many connections of one kind, each of which sends a little every second until it is closed. */
export class Drippers {
  /** When each connection was closed, in milliseconds since it was opened. */
  readonly closedAfter: number[] = []
  readonly #sockets: Socket[]
  readonly #timer: Timer

  constructor(url: string, kind: Kind, count: number) {
    const { hostname, port } = new URL(url)
    const { first, drip } = SLOWNESS[kind]
    this.#sockets = Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname)
      const since = performance.now()
      socket.on('connect', () => socket.write(first))
      socket.on('error', () => {})
      socket.on('close', () => this.closedAfter.push(performance.now() - since))
      socket.resume()
      return socket
    })
    this.#timer = setInterval(() => {
      for (const socket of this.#sockets) if (socket.writable) socket.write(drip)
    }, DRIP_EVERY_MS)
  }

  get open(): number {
    return this.#sockets.length - this.closedAfter.length
  }

  get slowestMs(): number {
    return Math.round(Math.max(0, ...this.closedAfter))
  }

  end(): void {
    clearInterval(this.#timer)
    for (const socket of this.#sockets) socket.destroy()
  }
}
