import type { Socket } from 'bun'
import { petJson } from '../../../support/http/exact.ts'
import { API_KEY } from '../../../support/service/service.ts'

const AUTHORIZATION = `Authorization: Bearer ${API_KEY}`
const BODY = petJson({ name: 'kept alive' })
const REQUESTS = [
  `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\n\r\n`,
  `POST /v1/pets HTTP/1.1\r\nHost: x\r\n${AUTHORIZATION}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
] as const

interface Kept {
  received: string
  /** Whether a request was sent and not answered yet. */
  asked: boolean
  /** Whether the service announced that it will close. */
  leaving: boolean
}

/** Clients that reuse connections, with pauses, until the service announces that it closes them. */
export class KeptConnections {
  answered = 0
  added = 0
  open = 0
  /** Requests without an answer, and how their connection ended. */
  readonly unanswered: string[] = []
  readonly resets: string[] = []
  readonly unexpected: string[] = []
  readonly #pauseMs: () => number

  constructor(pauseMs: () => number) {
    this.#pauseMs = pauseMs
  }

  async connect(url: string, count: number): Promise<void> {
    const { hostname, port } = new URL(url)
    for (let left = count; left > 0; left -= 100)
      await Promise.all(
        Array.from({ length: Math.min(left, 100) }, () => this.#connect(hostname, Number(port))),
      )
  }

  async #connect(hostname: string, port: number): Promise<void> {
    const socket = await Bun.connect<Kept>({
      hostname,
      port,
      data: { received: '', asked: false, leaving: false },
      socket: {
        data: (from, chunk) => this.#receive(from, chunk),
        error: (_from, error) => void this.resets.push(String(error)),
        close: (from, error) => this.#close(from, error),
      },
    })
    this.open++
    this.#ask(socket)
  }

  #ask(socket: Socket<Kept>): void {
    if (socket.readyState <= 0) return
    socket.data.asked = true
    socket.write(REQUESTS[this.answered % 10 === 0 ? 1 : 0])
  }

  #receive(socket: Socket<Kept>, chunk: Buffer): void {
    const { data } = socket
    data.received += chunk.toString('latin1')
    const headEnd = data.received.indexOf('\r\n\r\n')
    const [, length = ''] = /\r\ncontent-length: (\d+)/i.exec(data.received.slice(0, headEnd)) ?? []
    if (headEnd === -1 || data.received.length < headEnd + 4 + Number(length)) return
    const status = data.received.slice(9, 12)
    if (status === '201') this.added++
    else if (status !== '200') this.unexpected.push(data.received)
    data.leaving = /\r\nconnection: close\r\n/i.test(data.received.slice(0, headEnd + 2))
    data.received = ''
    data.asked = false
    this.answered++
    if (!data.leaving) setTimeout(() => this.#ask(socket), this.#pauseMs())
  }

  #close(socket: Socket<Kept>, error: unknown): void {
    this.open--
    if (error) this.resets.push(String(error))
    if (socket.data.asked) this.unanswered.push(error ? String(error) : 'closed')
  }
}
