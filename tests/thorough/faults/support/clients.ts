import { Answer, API_KEY, type PetBody, petJson } from '../../../support/http.ts'
import { animalNamed, type Random } from '../../../support/load.ts'
import { eventually } from '../../../support/process.ts'
import type { Create, Get, List, Operation, Shown } from './history.ts'

const DEADLINE_MS = 20_000
const REMEMBERED = 64
const PAGE_LIMITS = [1, 2, 3, 7, 20, 100]
const STATUSES = ['available', 'pending', 'sold', undefined, undefined, undefined]

/** What a read asks for, and where. */
type Question = { readonly target: string } & (
  | Pick<Get, 'kind' | 'id'>
  | Pick<List, 'kind' | 'after' | 'limit' | 'status'>
)

/** A read with its answer, to be repeated with its ETag; and the page that follows. */
interface Read {
  readonly question: Question
  readonly operation: Get | List
  readonly etag: string
  readonly next: Question | undefined
}

const shownOf = ({ id, name, status }: PetBody): Shown => ({ id: Number(id), name, status })

/** One answer with its times; undefined if none came, or a 503: what happened is unknown. Other statuses are a fault. */
async function ask(url: string, statuses: readonly number[], init: RequestInit = {}) {
  const began = performance.now()
  const headers = { Authorization: `Bearer ${API_KEY}`, ...(init.headers as Record<string, string>) }
  const signal = AbortSignal.timeout(DEADLINE_MS)
  // An instance that was killed, or is not there, does not answer.
  const answer = await fetch(url, { ...init, headers, signal })
    .then(Answer.from)
    .catch(() => undefined)
  const times = { began, ended: performance.now() }
  if (answer === undefined || answer.status === 503) return { answer: undefined, ...times }
  if (statuses.includes(answer.status)) return { answer, ...times }
  throw new Error(`An answer that is not expected: ${answer.status} ${answer.text}`)
}

async function create(url: string, name: string, isKeyed: boolean): Promise<Create> {
  const { answer, ...times } = await ask(`${url}/v1/pets`, isKeyed ? [201, 409] : [201], {
    method: 'POST',
    body: petJson(animalNamed(name)),
    headers: { 'Content-Type': 'application/json', ...(isKeyed && { 'Idempotency-Key': name }) },
  })
  const shown = answer?.status === 201 ? shownOf(answer.pet) : undefined
  return {
    kind: 'create',
    name,
    shown,
    replayed: answer?.headers.has('idempotent-replayed') === true,
    ...times,
  }
}

/** Undefined if there was no usable answer. With an earlier one a 304 stands for it. */
async function read(url: string, question: Question, earlier?: Read): Promise<Read | undefined> {
  const { target, ...asked } = question
  const statuses = [200, ...(asked.kind === 'get' ? [404] : []), ...(earlier ? [304] : [])]
  const headers = earlier && { headers: { 'If-None-Match': earlier.etag } }
  const { answer, ...times } = await ask(url + target, statuses, headers)
  if (answer === undefined) return undefined
  const link = answer.link('next')
  if (earlier && answer.status === 304) {
    if (link !== earlier.next?.target) throw new Error('A 304 with another link')
    return { ...earlier, operation: { ...earlier.operation, ...times } }
  }
  const etag = answer.headers.get('etag') ?? '"none"'
  if (asked.kind === 'get') {
    const shown = answer.status === 200 ? shownOf(answer.pet) : undefined
    return { question, operation: { ...asked, shown, ...times }, etag, next: undefined }
  }
  const shown = answer.pets.map(shownOf)
  const operation = { ...asked, shown, more: link !== undefined, ...times }
  const next = link === undefined ? undefined : { ...asked, target: link, after: shown.at(-1)?.id ?? 0 }
  return { question, operation, etag, next }
}

/**
 * Clients that add, read, list, walk, repeat and send conditional requests, each to a random address, and record when each
 * request began, when it ended and what it returned.
 */
export class Clients {
  readonly history: Operation[] = []
  /** Answers that no rule covers, because they should never occur. */
  readonly unexpected: string[] = []
  readonly #addresses: () => readonly string[]
  readonly #random: Random
  readonly #running: Promise<void>[]
  /** Recent answers, to be requested again. */
  readonly #recent: Read[] = []
  #highest = 0
  #isOver = false

  constructor(addresses: () => readonly string[], random: Random, count: number) {
    this.#addresses = addresses
    this.#random = random
    this.#running = Array.from({ length: count }, (_, client) => this.#run(client))
  }

  /** Stops the clients, then walks through the whole store at each address, which also finds animals whose answer was lost. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
    for (const url of this.#addresses())
      for (let page: Question | undefined = pageOf(100, undefined); page !== undefined; ) {
        // The last kill may have left no process that serves yet.
        const asked: Question = page
        const answered: Read = await eventually('the last walk is served', () => read(url, asked))
        this.history.push(answered.operation)
        page = answered.next
      }
  }

  async #run(client: number): Promise<void> {
    let walk: Question | undefined
    for (let n = 0; !this.#isOver; n++)
      try {
        const chance = this.#random(100)
        const page = pageOf(this.#oneOf(PAGE_LIMITS) ?? 1, this.#oneOf(STATUSES))
        if (chance < 30) await this.#create(`${client}/${n}`)
        else if (chance < 55) await this.#read(this.#anyAnimal())
        else if (chance < 70) await this.#read(page)
        else if (chance < 85) walk = await this.#read(walk ?? page)
        else {
          const earlier = this.#oneOf(this.#recent)
          if (earlier !== undefined) await this.#read(earlier.question, earlier)
        }
      } catch (error) {
        this.unexpected.push((error as Error).message)
        walk = undefined
      }
  }

  /** Half have a key; those are sent until an answer is known, and sometimes once or twice more. */
  async #create(name: string): Promise<void> {
    const isKeyed = this.#random(2) === 0
    for (let more = isKeyed ? this.#random(3) : 0; ; ) {
      const operation = await create(this.#oneOf(this.#addresses()) ?? '', name, isKeyed)
      this.history.push(operation)
      this.#highest = Math.max(this.#highest, operation.shown?.id ?? 0)
      if (!isKeyed || this.#isOver) return
      if (operation.shown === undefined) await Bun.sleep(5)
      else if (more-- === 0) return
    }
  }

  /** Returns the page that follows; after the last page a walk starts again. A page without an answer is requested again. */
  async #read(question: Question, earlier?: Read): Promise<Question | undefined> {
    const answered = await read(this.#oneOf(this.#addresses()) ?? '', question, earlier)
    if (answered === undefined) return question
    this.history.push(answered.operation)
    this.#recent.push(answered)
    if (this.#recent.length > REMEMBERED) this.#recent.shift()
    return answered.next
  }

  /** One that was just added, or is being added. */
  #anyAnimal(): Question {
    const id = Math.max(1, this.#highest + 3 - this.#random(20))
    return { kind: 'get', id, target: `/v1/pets/${id}` }
  }

  #oneOf<T>(all: readonly T[]): T | undefined {
    return all[this.#random(Math.max(1, all.length))]
  }
}

function pageOf(limit: number, status: string | undefined): Question {
  const filter = status === undefined ? '' : `&status=${status}`
  return { kind: 'list', target: `/v1/pets?limit=${limit}${filter}`, after: 0, limit, status }
}
