import { type Int64, LIMIT_MAX, type ListPetsQuery, type NewPet, type Pet } from './contract.generated.ts'
import { decimal, toJson } from './json.ts'
import type { CreateOptions, RequestOptions } from './options.ts'
import { PetList, pageReader } from './pet-list.ts'
import type { Transport } from './transport.ts'

/** The operations on animals. */
export class Pets {
  readonly #send: Transport

  constructor(send: Transport) {
    this.#send = send
  }

  /** Adds an animal: once, however often the request has to be repeated on its way. */
  async create(pet: NewPet, { idempotencyKey = newKey(), ...options }: CreateOptions = {}): Promise<Pet> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
    return (await this.#send('createPet', { body: toJson(pet), headers }, options)).body as Pet
  }

  /**
   * Lists animals in the order of their identifiers. Await it for one page, or iterate over it for all of them; nothing is
   * asked for ahead of its use.
   */
  list(query: ListPetsQuery = {}, options?: RequestOptions): PetList {
    const read = pageReader(this.#send, options)
    return new PetList(
      () => read(query),
      () => read({ ...query, limit: query.limit ?? LIMIT_MAX }),
    )
  }

  /**
   * Fetches one animal.
   *
   * @deprecated since 2026-11-14; its removal is announced for 2030-12-05. Use GET /pets with a status filter instead:
   * `list({ status })`.
   */
  async get(id: Int64, options?: RequestOptions): Promise<Pet> {
    return (await this.#send('getPet', { id: decimal(id) }, options)).body as Pet
  }
}

/** 128 random bits. Unlike randomUUID, getRandomValues is there on pages without TLS too. */
const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
