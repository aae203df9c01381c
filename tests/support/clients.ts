import type { Create, Get, List, Operation, Shown } from './history.ts'
import { Answer, API_KEY, type PetBody, petJson } from './http.ts'
import { animalNamed, type Random } from './load.ts'
import { eventually } from './process.ts'

const DEADLINE_MS = 20_000
const HEADERS = { Authorization: `Bearer ${API_KEY}` }

/** A page and the request for it. */
interface Page {
  readonly target: string
  readonly after: number
  readonly limit: number
  readonly status: string | undefined
}

const shownOf = ({ id, name, status }: PetBody): Shown => ({ id: Number(id), name, status })

/** One answer with its times; the answer is undefined if none came. */
async function ask(url: string, path: string, init: RequestInit = {}) {
  const began = performance.now()
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const headers = { ...HEADERS, ...(init.headers as Record<string, string> | undefined) }
    const answer = await Answer.from(await fetch(url + path, { ...init, headers, signal }))
    return { answer, began, ended: performance.now() }
  } catch {
    // The instance was killed or is not there, so what it did before is unknown.
    return { answer: undefined, began, ended: performance.now() }
  }
}

/** Like a missing answer, a 503 does not say what happened. Any other unexpected status is a fault. */
function expected(answer: Answer | undefined, ...statuses: number[]): Answer | undefined {
  if (answer === undefined || answer.status === 503) return undefined
  if (statuses.includes(answer.status)) return answer
  throw new Error(`An answer that is not expected: ${answer.status} ${answer.text}`)
}

async function create(url: string, name: string, key: string | undefined): Promise<Create> {
  const { answer, ...times } = await ask(url, '/v1/pets', {
    method: 'POST',
    body: petJson(animalNamed(name)),
    headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) },
  })
  const added = expected(answer, 201, ...(key === undefined ? [] : [409]))
  const shown = added?.status === 201 ? shownOf(added.pet) : undefined
  return {
    kind: 'create',
    name,
    key,
    shown,
    replayed: added?.headers.has('idempotent-replayed') === true,
    ...times,
  }
}

/** Undefined if there was no usable answer. A 304 stands for the earlier answer. */
async function get(url: string, id: number, earlier?: Get): Promise<Get | undefined> {
  const { answer, ...times } = await ask(url, `/v1/pets/${id}`, conditional(earlier))
  const found = expected(answer, 200, 404, ...notModified(earlier))
  if (found === undefined) return undefined
  if (found.status === 304) return { ...(earlier as Get), ...times }
  const shown = found.status === 200 ? shownOf(found.pet) : undefined
  return { kind: 'get', id, shown, etag: found.headers.get('etag') ?? undefined, ...times }
}

/** The same for a page, with the next page if there is one. */
async function list(
  url: string,
  page: Page,
  earlier?: List,
): Promise<{ operation: List; next: Page | undefined } | undefined> {
  const { answer, ...times } = await ask(url, page.target, conditional(earlier))
  const found = expected(answer, 200, ...notModified(earlier))
  if (found === undefined) return undefined
  const link = found.link('next')
  if (found.status === 304 && (link !== undefined) !== earlier?.more)
    throw new Error('A 304 with another link')
  const operation: List =
    found.status === 304
      ? { ...(earlier as List), ...times }
      : {
          kind: 'list',
          ...page,
          shown: found.pets.map(shownOf),
          more: link !== undefined,
          etag: found.headers.get('etag') ?? undefined,
          ...times,
        }
  const last = operation.shown.at(-1)
  return { operation, next: link && last ? { ...page, target: link, after: last.id } : undefined }
}

const conditional = (earlier: { readonly etag: string | undefined } | undefined): RequestInit =>
  earlier?.etag === undefined ? {} : { headers: { 'If-None-Match': earlier.etag } }

const notModified = (earlier: { readonly etag: string | undefined } | undefined): number[] =>
  earlier?.etag === undefined ? [] : [304]

const PAGE_LIMITS = [1, 2, 3, 7, 20, 100]
const REMEMBERED = 64

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
  readonly #gets: Get[] = []
  readonly #lists: List[] = []
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
      for (let page: Page | undefined = pageFrom(100, undefined); page !== undefined; ) {
        // The last kill may have left no process that serves yet.
        const asked: Page = page
        const read = await eventually('the last walk is served', () => list(url, asked))
        this.history.push(read.operation)
        page = read.next
      }
  }

  async #run(client: number): Promise<void> {
    let walk: Page | undefined
    for (let n = 0; !this.#isOver; n++)
      try {
        const chance = this.#random(100)
        if (chance < 30) await this.#create(`${client}/${n}`)
        else if (chance < 55) await this.#get()
        else if (chance < 70) await this.#list(pageFrom(this.#limit(), this.#status()))
        else if (chance < 85) walk = await this.#list(walk ?? pageFrom(this.#limit(), this.#status()))
        else await this.#again()
      } catch (error) {
        this.unexpected.push((error as Error).message)
        walk = undefined
      }
  }

  /** Half have a key; those are sent until an answer is known, and sometimes once or twice more. */
  async #create(name: string): Promise<void> {
    const key = this.#random(2) === 0 ? name : undefined
    for (let more = key === undefined ? 0 : this.#random(3); ; ) {
      const operation = await create(this.#address(), name, key)
      this.history.push(operation)
      if (operation.shown !== undefined) this.#highest = Math.max(this.#highest, operation.shown.id)
      if (key === undefined || (this.#isOver && more > 0)) return
      if (operation.shown === undefined) {
        if (this.#isOver) return
        await Bun.sleep(5)
      } else if (more-- === 0) return
    }
  }

  /** An animal that was just added, or one that is being added. */
  async #get(): Promise<void> {
    const id = Math.max(1, this.#highest + 3 - this.#random(20))
    this.#keep(await get(this.#address(), id))
  }

  /** After the last page the walk starts again. A page without an answer is requested again. */
  async #list(page: Page): Promise<Page | undefined> {
    const read = await list(this.#address(), page)
    this.#keep(read?.operation)
    return read === undefined ? page : read.next
  }

  /** Repeats an earlier request with the ETag of its answer. */
  async #again(): Promise<void> {
    const earlier =
      this.#random(3) === 0 ? this.#gets.at(-1 - this.#random(8)) : this.#lists.at(-1 - this.#random(8))
    if (earlier === undefined) return
    if (earlier.kind === 'get') this.#keep(await get(this.#address(), earlier.id, earlier))
    else this.#keep((await list(this.#address(), earlier, earlier))?.operation)
  }

  #keep(operation: Get | List | undefined): void {
    if (operation === undefined) return
    this.history.push(operation)
    const kept: (Get | List)[] = operation.kind === 'get' ? this.#gets : this.#lists
    kept.push(operation)
    if (kept.length > REMEMBERED) kept.shift()
  }

  #address(): string {
    const all = this.#addresses()
    return all[this.#random(all.length)] as string
  }

  #limit(): number {
    return PAGE_LIMITS[this.#random(PAGE_LIMITS.length)] as number
  }

  #status(): string | undefined {
    return this.#random(2) === 0 ? undefined : ['available', 'pending', 'sold'][this.#random(3)]
  }
}

function pageFrom(limit: number, status: string | undefined): Page {
  const filter = status === undefined ? '' : `&status=${status}`
  return { target: `/v1/pets?limit=${limit}${filter}`, after: 0, limit, status }
}
