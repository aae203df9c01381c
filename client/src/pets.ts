import { Call, type NotModified } from './call.ts'
import { type ListPetsQuery, type NewPet, OPERATIONS, type Pet } from './contract.generated.ts'
import { definedOf } from './errors.ts'
import type { ConditionalOptions, CreateOptions, RequestOptions } from './options.ts'
import {
  decimal,
  type Int64Input,
  type Int64Mode,
  type Int64Types,
  readPet,
  stringifyPet,
} from './pet-json.ts'
import { PetList, type PetPage, pageRequests } from './pet-list.ts'
import { conditional, type Request } from './request.ts'
import type { Transport } from './transport.ts'

/** The operations on animals. */
export class Pets<Mode extends Int64Mode = 'bigint'> {
  readonly #send: Transport
  readonly #mode: Mode

  /** @internal */
  constructor(send: Transport, mode: Mode) {
    this.#send = send
    this.#mode = mode
  }

  /** Adds an animal. It is added only once, even if the request has to be retried. */
  create(pet: NewPet, options: CreateOptions = {}): Call<Pet<Int64Types[Mode]>> {
    return Call.started(async () => {
      // Without an animal, the service says which fields are missing.
      const body = stringifyPet(Object(pet))
      return this.#send(
        { operation: 'createPet', ...OPERATIONS.createPet, body, read: body => readPet(body, this.#mode) },
        { idempotencyKey: newIdempotencyKey(), ...definedOf(options) },
      )
    })
  }

  /**
   * Lists animals in the order of their identifiers. Await it for one page, or iterate over it for all of them. Pages are
   * requested only when they are used.
   */
  list(query?: ListPetsQuery, options?: Unconditional): PetList<Int64Types[Mode]>
  /** Reads one page, unless it still has the given ETag. */
  list(
    query: ListPetsQuery | undefined,
    options: ConditionalOptions,
  ): Call<PetPage<Int64Types[Mode]> | NotModified>
  list(
    query: ListPetsQuery = {},
    options?: ConditionalOptions,
  ): Call<PetPage<Int64Types[Mode]> | NotModified> {
    const requestFor = pageRequests(this.#send, this.#mode, options)
    return options?.ifNoneMatch === undefined
      ? new PetList(query, async query => this.#send(requestFor(query), options))
      : new Call(async () => this.#send(conditional(requestFor(query), options), options))
  }

  /**
   * Fetches one animal.
   *
   * @deprecated since 2026-11-14; its removal is scheduled for 2030-12-05. Use GET /pets with a status filter instead:
   * `list({ status })`.
   */
  get(id: Int64Input, options?: Unconditional): Call<Pet<Int64Types[Mode]>>
  /**
   * Fetches one animal, unless it still has the given ETag.
   *
   * @deprecated since 2026-11-14; its removal is scheduled for 2030-12-05. Use GET /pets with a status filter instead:
   * `list({ status })`.
   */
  get(id: Int64Input, options: ConditionalOptions): Call<Pet<Int64Types[Mode]> | NotModified>
  get(id: Int64Input, options: ConditionalOptions = {}): Call<Pet<Int64Types[Mode]> | NotModified> {
    return Call.started(async () => {
      const { method, path } = OPERATIONS.getPet
      const request: Request<Pet<Int64Types[Mode]>> = {
        operation: 'getPet',
        method,
        path: path.replace('{petId}', decimal(id, 'id')),
        read: body => readPet(body, this.#mode),
      }
      return this.#send(conditional(request, options), options)
    })
  }
}

type Unconditional = RequestOptions & { readonly ifNoneMatch?: undefined }

/** A key of 128 random bits. Unlike randomUUID, getRandomValues also exists on pages without TLS. */
export const newIdempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
