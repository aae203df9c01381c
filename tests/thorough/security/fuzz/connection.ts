import { connect, type Socket } from 'node:net'
import { Answer } from '../../../support/http/answer.ts'

/** Sends one request at a time, as bytes; reconnects whenever the service closes the connection. */
export class FuzzConnection {
  readonly #port: number
  readonly #host: string
  #socket: Socket | undefined
  #received: Buffer = Buffer.alloc(0)
  #isHead = false
  #settle: ((answer: Answer | undefined) => void) | undefined

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#host = hostname
    this.#port = Number(port)
  }

  /** The answer, or undefined if the connection was closed without one. */
  ask(bytes: Uint8Array, method: string): Promise<Answer | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(reject, 30_000, new Error(`No answer within 30 s to ${Buffer.from(bytes)}`))
      this.#settle = answer => {
        clearTimeout(timer)
        this.#settle = undefined
        resolve(answer)
      }
      this.#isHead = method === 'HEAD'
      this.#socket ??= this.#open()
      this.#socket.write(bytes)
    })
  }

  end(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open(): Socket {
    const socket = connect(this.#port, this.#host)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => {
      if (socket !== this.#socket) return
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#read()
    })
    // A reset ends the connection like a close.
    socket.on('error', () => {})
    socket.on('close', () => {
      if (socket !== this.#socket) return
      this.#forget()
      this.#settle?.(undefined)
    })
    return socket
  }

  #forget(): void {
    this.#socket?.destroy()
    this.#socket = undefined
    this.#received = Buffer.alloc(0)
  }

  #read(): void {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const [first = '', ...lines] = this.#received.toString('latin1', 0, end).split('\r\n')
    const status = Number(first.slice(9, 12))
    const headers = new Headers(lines.map(line => splitField(line)))
    const hasBody = !this.#isHead && status !== 304 && status !== 204
    const whole = end + 4 + (hasBody ? Number(headers.get('content-length') ?? 0) : 0)
    if (this.#received.length < whole) return
    const answer = new Answer(status, headers, this.#received.toString('utf8', end + 4, whole))
    const rest = this.#received.subarray(whole)
    if (rest.length > 0 && !rest.toString().startsWith('HTTP/1.1 400 Bad Request\r\nConnection: close'))
      throw new Error(`A second response came: ${rest}`)
    if (headers.get('connection') === 'close' || rest.length > 0) this.#forget()
    else this.#received = Buffer.alloc(0)
    this.#settle?.(answer)
  }
}

function splitField(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}
