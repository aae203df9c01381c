import type { PetBody } from '../../../support/http.ts'
import { Load, type Random } from '../../../support/load.ts'
import { eventually } from '../../../support/process.ts'
import type { Operation, Read, Shown } from './history.ts'

const REMEMBERED = 64
const PAGE_LIMITS = [1, 2, 3, 7, 20, 100]
const STATUSES = ['available', 'pending', 'sold', undefined, undefined, undefined]

type Question = Pick<Read, 'target' | 'matches' | 'limit'>

/** A read with its answer, to be repeated with its ETag; and the page that follows. */
interface Answered {
  readonly read: Read
  readonly etag: string
  readonly next: Question | undefined
}

const shownOf = ({ id, name, status }: PetBody): Shown => ({ id: Number(id), name, status })

/** A load that also lists, walks, repeats and sends conditional requests, each to a random address, and records a history. */
export class Clients extends Load {
  readonly history: Operation[] = []
  readonly #addresses: () => readonly string[]
  readonly #random: Random
  /** To be requested again. */
  readonly #recent: Answered[] = []
  #highest = 0

  constructor(addresses: () => readonly string[], random: Random, count: number) {
    super(() => oneOf(addresses(), random) ?? '', count)
    this.#addresses = addresses
    this.#random = random
  }

  /** Stops the clients, then walks through the whole store at each address, which also finds animals whose answer was lost. */
  override async stop(): Promise<void> {
    await super.stop()
    for (const url of this.#addresses())
      for (let page: Question | undefined = pageOf(100, undefined); page !== undefined; ) {
        // The last kill may have left no process that serves yet.
        const asked: Question = page
        const { read, next }: Answered = await eventually('a page is served', () => this.#ask(url, asked))
        this.history.push(read)
        page = next
      }
  }

  protected override async call(client: number): Promise<void> {
    let walk: Question | undefined
    for (let n = 0; !this.isOver; n++) {
      const chance = this.#random(100)
      const page = pageOf(oneOf(PAGE_LIMITS, this.#random) ?? 1, oneOf(STATUSES, this.#random))
      const earlier = oneOf(this.#recent, this.#random)
      if (chance < 30) await this.#create(`${client}/${n}`)
      else if (chance < 55) await this.#read(this.#anyAnimal())
      else if (chance < 70) await this.#read(page)
      else if (chance < 85) walk = await this.#read(walk ?? page)
      else if (earlier !== undefined) await this.#read(earlier.read, earlier)
    }
  }

  /** Half have a key; those are sent until an answer is known, and sometimes once or twice more. */
  async #create(name: string): Promise<void> {
    const isKeyed = this.#random(2) === 0
    for (let more = isKeyed ? this.#random(3) : 0; ; ) {
      const { answer, ...times } = await this.add(name, isKeyed, isKeyed ? [409] : [])
      const shown = answer?.status === 201 ? [shownOf(answer.pet)] : []
      const replayed = answer?.headers.has('idempotent-replayed') === true
      this.history.push({ name, shown, replayed, ...times })
      this.#highest = Math.max(this.#highest, ...shown.map(({ id }) => id))
      if (!isKeyed || this.isOver || (shown.length > 0 && more-- === 0)) return
    }
  }

  /** Returns the page that follows; after the last page a walk starts again. A page without an answer is requested again. */
  async #read(question: Question, earlier?: Answered): Promise<Question | undefined> {
    const answered = await this.#ask(this.address(), question, earlier)
    if (answered === undefined) return question
    this.history.push(answered.read)
    this.#recent.push(answered)
    if (this.#recent.length > REMEMBERED) this.#recent.shift()
    return answered.next
  }

  /** Undefined if there was no usable answer. With an earlier one a 304 stands for it. */
  async #ask(url: string, question: Question, earlier?: Answered): Promise<Answered | undefined> {
    const { target, matches, limit } = question
    const headers = earlier && { headers: { 'If-None-Match': earlier.etag } }
    const isList = target.includes('?')
    const fine = isList ? [] : [404]
    const { answer, ...times } = await this.ask(url + target, headers, fine)
    // The runtime answers a request whose thread ended with an empty 204.
    if (answer?.status === 204) this.unanswered.push(`${target}: 204`)
    if (answer === undefined || answer.status === 204) return undefined
    if (answer.status >= 400 && !fine.includes(answer.status)) return undefined
    const link = answer.link('next')
    if (earlier && answer.status === 304) {
      if (link !== earlier.next?.target) this.unexpected.push(`${target}: a 304 with another link`)
      return { ...earlier, read: { ...earlier.read, ...times } }
    }
    const pets = answer.status === 404 ? [] : [isList ? answer.pets : answer.pet].flat()
    const shown = pets.map(shownOf)
    const read = { target, matches, limit, shown, more: link !== undefined, ...times }
    const last = shown.at(-1)?.id ?? 0
    const follows = (animal: Shown): boolean => animal.id > last && matches(animal)
    const next = link === undefined ? undefined : { target: link, matches: follows, limit }
    return { read, etag: answer.headers.get('etag') ?? '"none"', next }
  }

  /** One that was just added, or is being added. */
  #anyAnimal(): Question {
    const id = Math.max(1, this.#highest + 3 - this.#random(20))
    return { target: `/v1/pets/${id}`, matches: animal => animal.id === id, limit: 1 }
  }
}

const oneOf = <T>(all: readonly T[], random: Random): T | undefined => all[random(Math.max(1, all.length))]

function pageOf(limit: number, status: string | undefined): Question {
  const filter = status === undefined ? '' : `&status=${status}`
  const matches = (animal: Shown): boolean => (status ?? animal.status) === animal.status
  return { target: `/v1/pets?limit=${limit}${filter}`, matches, limit }
}
