import { type PetBody, parseExact, petJson } from '../../../support/http/exact.ts'
import { API_KEY } from '../../../support/service/service.ts'
import type { StoredPet } from './stored.ts'

const STATUSES = ['available', 'pending', 'sold'] as const
const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }

/** An animal whose fields all derive from its name, so that a stored one can be compared with what was sent. */
export function animalNamed(name: string) {
  const hash = Bun.hash.xxHash64(name)
  return { name, categoryId: BigInt.asIntN(64, hash), status: STATUSES[Number(hash % 3n)] as string }
}

export const isWhole = ({ name, category_id, status }: StoredPet): boolean => {
  const sent = animalNamed(name)
  return category_id === String(sent.categoryId) && status === sent.status
}

/** Every second animal has an idempotency key, which is its name. */
export const isKeyed = (name: string): boolean => Number(name.split('/').at(-1)) % 2 === 0

/** Sends one animal; returns the answer, or undefined if there was none. */
export async function send(url: string, name: string): Promise<{ status: number; text: string } | undefined> {
  const key = isKeyed(name) && { 'Idempotency-Key': name }
  const init = { method: 'POST', body: petJson(animalNamed(name)), headers: { ...HEADERS, ...key } }
  try {
    const response = await fetch(`${url}/v1/pets`, init)
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}

/** Callers that add animals continuously until there is no answer or they are told to stop. */
export class Writers {
  readonly acknowledged = new Map<string, bigint>()
  /** Sent but not answered: each may or may not be stored. */
  readonly unanswered: string[] = []
  /** Answered with a status other than 201 or 503. */
  readonly unexpected: string[] = []
  readonly refused: string[] = []
  readonly #callers: Promise<void>[]
  #isOver = false

  constructor(url: string, label: string, callers: number) {
    this.#callers = Array.from({ length: callers }, (_, caller) => this.#write(url, `${label}/${caller}`))
  }

  stop(): Promise<unknown> {
    this.#isOver = true
    return Promise.all(this.#callers)
  }

  async #write(url: string, label: string): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const name = `${label}/${n}`
      const answer = await send(url, name)
      if (answer === undefined) return void this.unanswered.push(name)
      if (answer.status === 201) this.acknowledged.set(name, (parseExact(answer.text) as PetBody).id)
      else if (answer.status === 503) await this.#refuse(name)
      else this.unexpected.push(`${name}: ${answer.status} ${answer.text}`)
    }
  }

  async #refuse(name: string): Promise<void> {
    this.refused.push(name)
    await Bun.sleep(5)
  }
}
