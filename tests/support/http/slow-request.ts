import { API_KEY, type Service } from '../service/service.ts'
import type { Answer } from './answer.ts'
import { petJson } from './exact.ts'
import { RawConnection } from './raw-http.ts'

/** A request that adds an animal and sends its body in two halves: in flight for as long as the test wants. */
export class SlowRequest {
  readonly #connection: RawConnection
  readonly #rest: string

  private constructor(connection: RawConnection, rest: string) {
    this.#connection = connection
    this.#rest = rest
  }

  /** Resolves once the service has begun to read the request. */
  static async begin(
    { url }: Pick<Service, 'url'>,
    name: string,
    key = API_KEY,
    host = 'x',
  ): Promise<SlowRequest> {
    const body = petJson({ name })
    const half = Math.floor(body.length / 2)
    const head = [
      'POST /v1/pets HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
    ]
    const connection = new RawConnection(url)
    connection.send(`${head.join('\r\n')}\r\n\r\n`)
    const { status } = await connection.read()
    if (status !== 100) throw new Error(`Expected 100 Continue, got ${status}`)
    connection.send(body.slice(0, half))
    return new SlowRequest(connection, body.slice(half))
  }

  finish(): Promise<Answer> {
    this.#connection.send(this.#rest)
    return this.#connection.read()
  }
}
