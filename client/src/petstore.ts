import { Call } from './call.ts'
import { must, type PetstoreOptions, type RawRequestOptions, type Settings, settingsOf } from './options.ts'
import type { Int64Mode } from './pet-json.ts'
import { Pets } from './pets.ts'
import { pathBelow } from './request.ts'
import { type Transport, transport } from './transport.ts'

/** A client for a petstore over HTTP. The type parameter is the type of every int64 that it returns. */
export class Petstore<Mode extends Int64Mode = 'bigint'> {
  /** The base URL of the service, including the version. */
  readonly baseUrl: string
  /** The type of every `id` and `categoryId`. */
  readonly int64: Mode
  /** The operations on animals. */
  readonly pets: Pets<Mode>
  readonly #settings: Settings
  readonly #send: Transport

  /** Throws a TypeError that says which option is invalid. */
  constructor(options: PetstoreOptions<Mode> = {}) {
    this.#settings = settingsOf(options)
    this.baseUrl = this.#settings.baseUrl
    this.int64 = this.#settings.int64 as Mode
    this.#send = transport(this.#settings)
    this.pets = new Pets(this.#send, this.int64)
  }

  /** A client with these options in place of this one's. */
  withOptions<NewMode extends Int64Mode = Mode>(options: PetstoreOptions<NewMode>): Petstore<NewMode> {
    return new Petstore<NewMode>({ ...(this.#settings as object), ...options })
  }

  /**
   * Sends any request, with the client's key, deadlines, retries and errors. The path is relative to the base URL. The data is the
   * parsed body, in which an integer beyond 2^53 is a bigint; undefined for a HEAD, 204, 205 or 304.
   */
  request<Data = unknown>(method: string, path: string, options: RawRequestOptions = {}): Call<Data> {
    return Call.started(async () => {
      const { query, body, idempotencyKey } = options
      const verb = method.toUpperCase()
      // Otherwise fetch throws, which would pass for a lost connection.
      must('method', /^(?!(CONNECT|TRAC[EK])$)[A-Z-]+$/.test(verb), 'be one that fetch permits')
      must('body', body === undefined || !/^(GET|HEAD)$/.test(verb), 'be omitted for GET and HEAD')
      return this.#send(
        {
          operation: 'request',
          method: verb,
          path: pathBelow(path),
          query,
          body: typeof body === 'object' ? JSON.stringify(body) : body,
          isRepeatable: idempotencyKey !== undefined || !/^(POST|PATCH)$/.test(verb),
          read: data => data as Data,
          withoutBody: status =>
            (verb === 'HEAD' && status < 300) || [204, 205, 304].includes(status)
              ? { data: undefined as Data }
              : undefined,
        },
        options,
      )
    })
  }
}
