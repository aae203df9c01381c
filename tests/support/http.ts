import { connect, type Socket } from 'node:net'
import { eventually } from './process.ts'

/** The key that every service of a test is configured with. */
export const API_KEY = 'contract-tests-key-0123456789'
export const BEARER = `Authorization: Bearer ${API_KEY}`

export interface PetBody {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  readonly status: string
}

/** The body of a request that adds an animal, with an exact category. */
export function petJson(pet: { name?: string; categoryId?: bigint; status?: string | undefined }): string {
  const { name = 'Rex', categoryId = 7n, status } = pet
  const ending = status === undefined ? '' : `,"status":"${status}"`
  return `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${ending}}`
}

export class CompleteResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string

  constructor(status: number, headers: Headers, text: string) {
    this.status = status
    this.headers = headers
    this.text = text
  }

  static async from(response: Response): Promise<CompleteResponse> {
    return new CompleteResponse(response.status, response.headers, await response.text())
  }

  get pet(): PetBody {
    return this.#read(this.status < 300) as PetBody
  }

  get pets(): PetBody[] {
    return this.#read(this.status < 300) as PetBody[]
  }

  get error(): { readonly code: string; readonly message: string; readonly status: number } {
    return this.#read(this.status >= 400) as CompleteResponse['error']
  }

  /** Status and code in one, which is easy to read in a test: `404 pet_not_found`. */
  get failure(): string {
    return `${this.status} ${this.error.code}`
  }

  /** Parses JSON exactly: identifiers are int64, so they become bigints. Fails if the status is that of another body. */
  #read(isAsked: boolean): unknown {
    if (!isAsked) throw new Error(`The response is ${this.status} ${this.text}`)
    return JSON.parse(this.text, (name: string, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' && (name === 'id' || name === 'categoryId')
        ? BigInt(context?.source ?? '')
        : value,
    )
  }

  link(relation: string): string | undefined {
    for (const link of this.headers.get('link')?.split(/,\s*(?=<)/) ?? []) {
      const [, target] = /^<([^>]*)>/.exec(link) ?? []
      if (link.includes(`rel="${relation}"`)) return target
    }
    return undefined
  }
}

/** Follows `next` links to the last page. */
export async function walk(service: { fetch(target: string): Promise<CompleteResponse> }, first: string) {
  const pets: PetBody[] = []
  let pages = 0
  for (let target: string | undefined = first; target !== undefined; pages++) {
    const answer = await service.fetch(target)
    const [last, next] = [pets.at(-1), answer.pets[0]]
    if (last && next && next.id <= last.id)
      throw new Error(`${target} begins with ${next.id}, not after ${last.id}`)
    pets.push(...answer.pets)
    target = answer.link('next')
  }
  return { pets, pages }
}

/** A connection on which a test sends exact bytes and reads answers one by one. */
export class RawConnection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#socket = connect(Number(port), hostname)
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk])
    })
    // A reset by the service ends the connection like a close.
    this.#socket.on('error', () => {})
  }

  send(bytes: string | Uint8Array): void {
    this.#socket.write(bytes)
  }

  request(lines: readonly string[], body = ''): void {
    this.send(`${lines.join('\r\n')}\r\n\r\n${body}`)
  }

  /** The next answer. An answer to HEAD has no body, whatever its Content-Length says. */
  read(method = 'GET'): Promise<CompleteResponse> {
    return eventually('an answer on the raw connection', () => {
      const { closed } = this.#socket
      const taken = takeResponse(this.#received, method, closed)
      if (taken === undefined && closed) throw new Error(`The connection was closed after: ${this.#received}`)
      if (taken === undefined) return undefined
      this.#received = this.#received.subarray(taken.length)
      return taken.answer
    })
  }

  untilClosed(): Promise<true> {
    return eventually('the connection is closed', () => this.#socket.closed || undefined)
  }

  end(): void {
    this.#socket.destroy()
  }

  [Symbol.dispose](): void {
    this.end()
  }
}

function takeResponse(bytes: Buffer, method: string, closed: boolean) {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...fields] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = new Headers(fields.map(field => field.split(/:\s*(.*)/s, 2) as [string, string]))
  const bodyStart = headEnd + 4
  const hasNoBody = method === 'HEAD' || status === 304 || status < 200
  const declared = hasNoBody ? '0' : headers.get('content-length')
  if (declared === null && !closed) return undefined
  const length = declared === null ? bytes.length : bodyStart + Number(declared)
  if (bytes.length < length) return undefined
  return { answer: new CompleteResponse(status, headers, bytes.toString('utf8', bodyStart, length)), length }
}

/** Sends a request head as lines, with the key, and the body unchanged; returns the answer. */
export async function rawRequest(url: string, lines: readonly string[], body = '') {
  using connection = new RawConnection(url)
  connection.request([...lines, BEARER], body)
  return await connection.read(lines[0]?.split(' ')[0])
}

/** A request that adds an animal and sends its body in two halves: in flight for as long as the test wants. */
export const SlowRequest = {
  /** Resolves once the service has begun to read the request. */
  async begin({ url }: { url: string }, name: string, key = API_KEY, host = 'x') {
    const connection = new RawConnection(url)
    const body = petJson({ name })
    const head = ['POST /v1/pets HTTP/1.1', `Host: ${host}`, `Authorization: Bearer ${key}`]
    const content = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    connection.request([...head, ...content, 'Expect: 100-continue'])
    const { status } = await connection.read()
    if (status !== 100) throw new Error(`Expected 100 Continue, got ${status}`)
    connection.send(body.slice(0, 10))
    const finish = (): Promise<CompleteResponse> => {
      connection.send(body.slice(10))
      return connection.read()
    }
    return { finish }
  },
}
