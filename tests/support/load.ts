import { API_KEY, CompleteResponse, type PetBody, petJson } from './http.ts'

const PAUSE_MS = 25
const DEADLINE_MS = 30_000
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
function animalNamed(name: string) {
  const hash = Bun.hash.xxHash64(name)
  return { name, categoryId: BigInt.asIntN(64, hash), status: STATUSES[Number(hash % 3n)] as string }
}

/** Every second animal has an idempotency key, which is its name. */
const isKeyed = (name: string): boolean => Number(name.split('/')[1]) % 2 === 0

/** Callers that continuously add animals and read them back, and record every answer. */
export class Load {
  readonly acknowledged = new Map<string, PetBody>()
  /** Animals without a key of which nothing was stored, as their answer said. */
  readonly refused: string[] = []
  /** About a different animal than requested. */
  readonly foreign: string[] = []
  /** Answers that were neither a success nor a 503. */
  readonly unexpected: string[] = []
  readonly unanswered: string[] = []
  unavailable = 0
  protected isOver = false
  protected readonly address: () => string
  readonly #callers: Promise<void>[]

  constructor(address: () => string, callers = 16) {
    this.address = address
    // Later, because a subclass is not complete yet.
    this.#callers = Array.from({ length: callers }, async (_, caller) =>
      Promise.resolve(caller).then(n => this.call(n)),
    )
  }

  async stop(): Promise<void> {
    this.isOver = true
    await Promise.all(this.#callers)
  }

  /** Those with a key are sent until they are acknowledged, the others once. */
  protected async call(caller: number): Promise<void> {
    for (let n = 0; !this.isOver; n++) {
      const name = `${caller}/${n}`
      do await this.add(name, isKeyed(name))
      while (isKeyed(name) && !this.acknowledged.has(name) && !this.isOver)
      const known = this.acknowledged.get(name)
      if (known !== undefined) await this.#read(known)
    }
  }

  /** Tries to add an animal, with its name as the idempotency key or without one. */
  protected async add(name: string, isKeyed: boolean, fine: readonly number[] = []) {
    const sent = animalNamed(name)
    const headers = { 'Content-Type': 'application/json', ...(isKeyed && { 'Idempotency-Key': name }) }
    const init = { method: 'POST', body: petJson(sent), headers }
    const asked = await this.ask(`${this.address()}/v1/pets`, init, fine)
    const { answer } = asked
    if (!isKeyed && answer?.text.includes('"code":"unavailable"')) this.refused.push(name)
    if (answer?.status !== 201) return asked
    const { pet, text } = answer
    if (pet.name !== name || pet.categoryId !== sent.categoryId)
      this.foreign.push(`${name} was answered ${text}`)
    this.acknowledged.set(name, pet)
    return asked
  }

  async #read({ id, name }: PetBody): Promise<void> {
    const { answer } = await this.ask(`${this.address()}/v1/pets/${id}`)
    if (answer?.status !== 200) return
    const { pet, text } = answer
    if (pet.id !== id || pet.name !== name) this.foreign.push(`${id} ${name} was answered ${text}`)
  }

  /** One answer, if one came, and when the request began and ended. Failures are recorded, except those that are fine here. */
  protected async ask(url: string, init: RequestInit = {}, fine: readonly number[] = []) {
    const what = `${init.method ?? 'GET'} ${url}`
    const headers = { Authorization: `Bearer ${API_KEY}`, ...(init.headers as Record<string, string>) }
    const began = performance.now()
    const answer = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(DEADLINE_MS) })
      .then(CompleteResponse.from)
      .catch(error => void this.unanswered.push(`${what}: ${error}`))
    const ended = performance.now()
    const isFine = answer && (answer.status < 400 || fine.includes(answer.status))
    if (answer?.status === 503) this.unavailable++
    else if (answer && !isFine) this.unexpected.push(`${what}: ${answer.status} ${answer.text}`)
    if (!isFine) await Bun.sleep(PAUSE_MS)
    return { answer: answer ?? undefined, began, ended }
  }
}

/** Compares the final contents of the store with the answers that callers got. */
export function balance(load: Load, stored: readonly { id: string; name: string }[]) {
  const ids = new Map<string, bigint[]>()
  for (const { id, name } of stored) ids.set(name, [...(ids.get(name) ?? []), BigInt(id)])
  const lost = [...load.acknowledged.values()].filter(({ id, name }) => !ids.get(name)?.includes(id))
  const duplicated = [...ids].filter(([, all]) => all.length > 1).map(([name]) => name)
  const { foreign, unexpected, unanswered } = load
  const untrue = load.refused.filter(name => ids.has(name))
  return { lost: lost.map(({ name }) => name), untrue, duplicated, foreign, unexpected, unanswered }
}

export const BALANCED = { lost: [], untrue: [], duplicated: [], foreign: [], unexpected: [], unanswered: [] }
