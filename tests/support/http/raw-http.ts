import { connect, type Socket } from 'node:net'
import { eventually } from '../service/process.ts'
import { API_KEY } from '../service/service.ts'
import { Answer } from './answer.ts'

/** A connection on which a test sends exact bytes and reads answers one by one. */
export class RawConnection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  closed = false

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#socket = connect(Number(port), hostname)
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
    })
    this.#socket.on('close', () => {
      this.closed = true
    })
    // A reset by the service ends the connection like a close.
    this.#socket.on('error', () => {})
  }

  send(bytes: string | Uint8Array): void {
    this.#socket.write(bytes)
  }

  /** The next answer. An answer to HEAD has no body, whatever its Content-Length says. */
  read(method = 'GET'): Promise<Answer> {
    return eventually('an answer on the raw connection', () => {
      const taken = takeAnswer(this.#received, method, this.closed)
      if (taken === undefined && this.closed)
        throw new Error(`The connection was closed after: ${this.#received}`)
      if (taken === undefined) return undefined
      this.#received = this.#received.subarray(taken.length)
      return taken.answer
    })
  }

  untilClosed(): Promise<true> {
    return eventually('the connection is closed', () => this.closed || undefined)
  }

  end(): void {
    this.#socket.destroy()
  }
}

export function takeAnswer(bytes: Buffer, method: string, closed: boolean) {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...fields] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = new Headers(fields.map(field => nameAndValue(field)))
  const bodyStart = headEnd + 4
  const hasNoBody = method === 'HEAD' || status === 304 || status < 200
  const declared = hasNoBody ? '0' : headers.get('content-length')
  if (declared === null && !closed) return undefined
  const length = declared === null ? bytes.length : bodyStart + Number(declared)
  if (bytes.length < length) return undefined
  return { answer: new Answer(status, headers, bytes.toString('utf8', bodyStart, length)), length }
}

function nameAndValue(field: string): [string, string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon), field.slice(colon + 1).trim()]
}

/** Sends a request head as lines, with the key, and the body unchanged; returns the answer. */
export async function rawRequest(url: string, lines: readonly string[], body = ''): Promise<Answer> {
  const connection = new RawConnection(url)
  try {
    connection.send(`${[...lines, `Authorization: Bearer ${API_KEY}`].join('\r\n')}\r\n\r\n${body}`)
    return await connection.read(lines[0]?.split(' ')[0])
  } finally {
    connection.end()
  }
}
