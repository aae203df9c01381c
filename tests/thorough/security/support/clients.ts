import { connect, type Socket } from 'node:net'
import { isPending } from '../../../support/process.ts'
import { API_KEY } from '../../../support/service.ts'

export const KEY = `Authorization: Bearer ${API_KEY}`
export const MIB = 2 ** 20

/** The head of a request that adds an animal, with these fields. */
export const postHead = (...fields: string[]): string =>
  `${['POST /v1/pets HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...fields].join('\r\n')}\r\n\r\n`

/** Many connections that each send something as soon as all are open, perhaps a little more every second, and read what comes. */
export class Flood {
  /** The first response on each connection. */
  readonly answers: { readonly status: number; readonly ms: number }[] = []
  sent = 0
  open = 0
  readonly #sockets: Socket[]
  readonly #timer: Timer | undefined
  #since = 0

  constructor(url: string, count: number, first: string, drip = '') {
    const { hostname, port } = new URL(url)
    this.#sockets = Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname, () => {
        if (++this.open === count) this.#send(first)
      })
      socket.once('data', bytes => {
        const status = Number(bytes.toString('latin1', 9, 12))
        this.answers.push({ status, ms: performance.now() - this.#since })
      })
      socket.on('error', () => {})
      socket.on('close', () => this.open--)
      return socket.resume()
    })
    if (drip !== '') this.#timer = setInterval(() => this.#send(drip), 1000)
  }

  #send(text: string): void {
    this.#since ||= performance.now()
    for (const socket of this.#sockets) if (socket.writable) socket.write(text, () => this.sent++)
  }

  /** Whether all have sent and were closed. */
  get isOver(): boolean {
    return this.#since > 0 && this.open === 0
  }

  get statuses(): Set<number> {
    return new Set(this.answers.map(({ status }) => status))
  }

  end(): void {
    clearInterval(this.#timer)
    for (const socket of this.#sockets) socket.destroy()
  }
}

export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

/** How long each question takes until some work is done. */
export async function timesDuring(work: Promise<unknown>, ask: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  while (isPending(work)) {
    const started = performance.now()
    await ask()
    times.push(performance.now() - started)
  }
  await work
  return times
}

/** How long others wait for `/livez`, each time on a new connection. */
export const livezDuring = (url: string, work: Promise<unknown>): Promise<number[]> =>
  timesDuring(work, async () => {
    const { status } = await fetch(`${url}/livez`, { keepalive: false })
    if (status !== 200) throw new Error(`/livez answered ${status}`)
  })
