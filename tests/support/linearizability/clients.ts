import type { Get, List, Operation } from './history.ts'
import { create, get, list, type Page, statusOf } from './requests.ts'

/** A whole number below a bound. */
export type Random = (below: number) => number

const PAGE_LIMITS = [1, 2, 3, 7, 20, 100]
const REMEMBERED = 64

/**
 * Clients that add, read, list, walk, repeat and ask conditionally, each request at an address of chance, and write down when
 * each began, when it ended and what it told.
 */
export class Clients {
  readonly history: Operation[] = []
  /** Answers that no rule is about, since they should not have been given at all. */
  readonly unexpected: string[] = []
  readonly #addresses: () => readonly string[]
  readonly #random: Random
  readonly #running: Promise<void>[]
  /** What was learned recently, to be asked for again. */
  readonly #gets: Get[] = []
  readonly #lists: List[] = []
  #highest = 0
  #isOver = false

  constructor(addresses: () => readonly string[], random: Random, count: number) {
    this.#addresses = addresses
    this.#random = random
    this.#running = Array.from({ length: count }, (_, client) => this.#run(client))
  }

  /** Ends them; then walks through the whole store at each address, which also shows animals whose answer was lost. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
    for (const url of this.#addresses())
      for (let page: Page | undefined = pageFrom(100, undefined); page !== undefined; ) {
        const read = await list(url, page)
        if (read === undefined) throw new Error('The last walk was not served')
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

  /** Half of them with a key, sent until an answer is known, and now and then once or twice more. */
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

  /** An animal that was added a moment ago, or one that is being added now. */
  async #get(): Promise<void> {
    const id = Math.max(1, this.#highest + 3 - this.#random(20))
    this.#keep(await get(this.#address(), id))
  }

  /** Where the last page ends, the walk rests and asks for it again, as a client does that keeps up with a growing store. */
  async #list(page: Page): Promise<Page | undefined> {
    const read = await list(this.#address(), page)
    this.#keep(read?.operation)
    return read === undefined ? page : read.next
  }

  /** The same once more, with the ETag that came with it. */
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
