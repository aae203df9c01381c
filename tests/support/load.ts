import { Answer, API_KEY, type PetBody, petJson } from './http.ts'

const PAUSE_MS = 25
const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
const STATUSES = ['available', 'pending', 'sold']

export type Random = (below: number) => number

/** Mulberry32: small, and good enough to choose moments. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** An animal whose fields all derive from its name, so that a stored one can be compared with what was sent. */
export function animalNamed(name: string) {
  const hash = Bun.hash.xxHash64(name)
  return { name, categoryId: BigInt.asIntN(64, hash), status: STATUSES[Number(hash % 3n)] as string }
}

/** Every second animal has an idempotency key, which is its name. */
export const isKeyed = (name: string): boolean => Number(name.split('/')[1]) % 2 === 0

/** Callers that continuously add animals and read them back, and record every answer. */
export class Load {
  /** By name; names are unique. */
  readonly acknowledged = new Map<string, PetBody>()
  /** Animals without a key that got a 503. */
  readonly refused: string[] = []
  /** Answers about a different animal than requested. */
  readonly foreign: string[] = []
  /** Answers that were neither a success nor a 503. */
  readonly unexpected: string[] = []
  /** Requests without an answer. */
  readonly unanswered: string[] = []
  unavailable = 0
  reads = 0
  readonly #address: () => string
  readonly #label: string
  readonly #callers: Promise<void>[]
  #isOver = false

  constructor(address: () => string, callers = 16, label = '') {
    this.#address = address
    this.#label = label
    this.#callers = Array.from({ length: callers }, (_, caller) => this.#call(caller))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }

  /** Those with a key are sent until they are acknowledged, the others once. */
  async #call(caller: number): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const name = `${this.#label}${caller}/${n}`
      if (isKeyed(name)) while (!(await this.#add(name, { 'Idempotency-Key': name })));
      else await this.#add(name, {})
      const known = this.acknowledged.get(name)
      if (known !== undefined) await this.#read(known)
    }
  }

  /** Whether the animal needs no further attempt. */
  async #add(name: string, headers: Record<string, string>): Promise<boolean> {
    const sent = animalNamed(name)
    const init = { method: 'POST', body: petJson(sent), headers: { ...HEADERS, ...headers } }
    const answer = await this.#ask('/v1/pets', init)
    if (answer?.status === 503 && !isKeyed(name)) this.refused.push(name)
    if (answer?.status !== 201) return this.#isOver
    const { pet, text } = answer
    if (pet.name !== name || pet.categoryId !== sent.categoryId)
      this.foreign.push(`${name} was answered ${text}`)
    this.acknowledged.set(name, pet)
    return true
  }

  async #read({ id, name }: PetBody): Promise<void> {
    const answer = await this.#ask(`/v1/pets/${id}`, { headers: HEADERS })
    if (answer?.status !== 200) return
    this.reads++
    const { pet, text } = answer
    if (pet.id !== id || pet.name !== name) this.foreign.push(`${id} ${name} was answered ${text}`)
  }

  async #ask(path: string, init: RequestInit): Promise<Answer | undefined> {
    const what = `${init.method ?? 'GET'} ${path}`
    const answer = await fetch(this.#address() + path, init)
      .then(Answer.from)
      .catch(error => void this.unanswered.push(`${what}: ${error}`))
    if (answer?.status === 503) this.unavailable++
    else if (answer && answer.status >= 400) this.unexpected.push(`${what}: ${answer.status} ${answer.text}`)
    if (!answer || answer.status >= 400) await Bun.sleep(PAUSE_MS)
    return answer ?? undefined
  }
}

/** Compares the final contents of the store with the answers that callers got. */
export function balance(load: Load, stored: readonly { id: string; name: string }[]) {
  const ids = new Map<string, bigint[]>()
  for (const { id, name } of stored) ids.set(name, [...(ids.get(name) ?? []), BigInt(id)])
  const lost = [...load.acknowledged.values()].filter(({ id, name }) => !ids.get(name)?.includes(id))
  const duplicated = [...ids].filter(([, all]) => all.length > 1).map(([name]) => name)
  const { foreign, unexpected, unanswered } = load
  return { lost: lost.map(({ name }) => name), duplicated, foreign, unexpected, unanswered }
}

export const BALANCED = { lost: [], duplicated: [], foreign: [], unexpected: [], unanswered: [] }
