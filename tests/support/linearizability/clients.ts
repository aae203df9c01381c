import { eventually } from '../service/process.ts'
import type { Get, List, Operation } from './history.ts'
import { create, get, list, type Page, statusOf } from './requests.ts'

export type Random = (below: number) => number

const PAGE_LIMITS = [1, 2, 3, 7, 20, 100]
const REMEMBERED = 64
const SERVED_MS = 60_000

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
        const read = await eventually('the last walk is served', () => list(url, asked), SERVED_MS)
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
    return this.#random(2) === 0 ? undefined : statusOf(String(this.#random(3)))
  }
}

function pageFrom(limit: number, status: string | undefined): Page {
  const filter = status === undefined ? '' : `&status=${status}`
  return { target: `/v1/pets?limit=${limit}${filter}`, after: 0, limit, status }
}
