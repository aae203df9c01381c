import { type PetBody, parseExact, petJson } from '../http/exact.ts'
import { API_KEY } from '../service/service.ts'

const PAUSE_MS = 25
const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }

interface Sent {
  readonly name: string
  readonly categoryId: bigint
}

/** Callers that continuously add animals and read them back, and record every answer. */
export class Load {
  /** By name; names are unique. */
  readonly acknowledged = new Map<string, PetBody>()
  /** Answers about a different animal than requested. */
  readonly foreign: string[] = []
  /** Answers that were neither a success nor a 503. */
  readonly unexpected: string[] = []
  unavailable = 0
  reads = 0
  readonly #address: () => string
  readonly #callers: Promise<void>[]
  #isOver = false

  constructor(address: () => string, callers = 16) {
    this.#address = address
    this.#callers = Array.from({ length: callers }, (_, caller) => this.#call(caller))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }

  /** Every second animal has an idempotency key and is sent until it is acknowledged; the others are sent once. */
  async #call(caller: number): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const sent = { name: `${caller}/${n}`, categoryId: 2n ** 60n + BigInt(caller * 1_000_000 + n) }
      if (isRepeated(sent.name)) while (!(await this.#add(sent, { 'Idempotency-Key': sent.name })));
      else await this.#add(sent, {})
      const known = this.acknowledged.get(sent.name)
      if (known !== undefined) await this.#read(known)
    }
  }

  /** Whether the animal needs no further attempt. */
  async #add(sent: Sent, headers: Record<string, string>): Promise<boolean> {
    const init = { method: 'POST', body: petJson(sent), headers: { ...HEADERS, ...headers } }
    const answer = await this.#ask('/v1/pets', init, 201)
    if (answer === undefined) return this.#isOver
    const pet = parseExact(answer) as PetBody
    if (pet.name !== sent.name || pet.categoryId !== sent.categoryId)
      this.foreign.push(`${sent.name} was answered ${answer}`)
    this.acknowledged.set(sent.name, pet)
    return true
  }

  async #read({ id, name }: PetBody): Promise<void> {
    const answer = await this.#ask(`/v1/pets/${id}`, { headers: HEADERS }, 200)
    if (answer === undefined) return
    this.reads++
    const pet = parseExact(answer) as PetBody
    if (pet.id !== id || pet.name !== name) this.foreign.push(`${id} ${name} was answered ${answer}`)
  }

  async #ask(path: string, init: RequestInit, expected: number): Promise<string | undefined> {
    try {
      const response = await fetch(this.#address() + path, init)
      const text = await response.text()
      if (response.status === expected) return text
      if (response.status === 503) this.unavailable++
      else this.unexpected.push(`${init.method ?? 'GET'} ${path}: ${response.status} ${text}`)
    } catch (error) {
      this.unexpected.push(`${init.method ?? 'GET'} ${path}: ${error}`)
    }
    await Bun.sleep(PAUSE_MS)
    return undefined
  }
}

const isRepeated = (name: string): boolean => Number(name.split('/')[1]) % 2 === 0

/** Compares the final contents of the store with the answers that callers got. */
export function balance(load: Load, stored: readonly { id: string; name: string }[]) {
  const ids = new Map<string, bigint[]>()
  for (const { id, name } of stored) ids.set(name, [...(ids.get(name) ?? []), BigInt(id)])
  const lost = [...load.acknowledged.values()].filter(({ id, name }) => !ids.get(name)?.includes(id))
  const duplicated = [...ids].filter(([, all]) => all.length > 1).map(([name]) => name)
  return {
    lost: lost.map(({ name }) => name),
    duplicated,
    foreign: load.foreign,
    unexpected: load.unexpected,
  }
}

export const BALANCED = { lost: [], duplicated: [], foreign: [], unexpected: [] }
