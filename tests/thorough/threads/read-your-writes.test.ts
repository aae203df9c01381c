import { expect, test } from 'bun:test'
import { Answer, petJson } from '../../support/http.ts'
import { freshSqliteUrl } from '../../support/process.ts'
import { API_KEY, type ServiceProcess, startInstances } from '../../support/service.ts'
import { ALONE, startThreads } from './support/threads.ts'

const PROBES = 3000
const PROBERS = 8
/** Their requests share turns of the event loops with those of the probes, and fill the caches. */
const READERS = 2
const PAGE_SIZE = 100
const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }

/** Adds animals and looks for each of them, through connections that the system assigns to any thread. */
class Probes {
  readonly stale: string[] = []
  readonly #urls: readonly string[]
  #begun = 0
  #asked = 0
  /** The last page, which every addition changes. */
  #lastPage = `/v1/pets?limit=${PAGE_SIZE}`

  constructor(services: readonly ServiceProcess[]) {
    this.#urls = services.map(({ url }) => url)
  }

  async run(): Promise<void> {
    await Promise.all([
      ...Array.from({ length: PROBERS }, () => this.#probe()),
      ...Array.from({ length: READERS }, () => this.#read()),
    ])
  }

  async #read(): Promise<void> {
    while (this.#begun < PROBES) await this.#ask(this.#lastPage)
  }

  async #probe(): Promise<void> {
    while (this.#begun < PROBES) {
      const name = `probe ${this.#begun++}`
      const from = this.#lastPage
      const { pet } = await this.#ask('/v1/pets', { method: 'POST', body: petJson({ name }), headers: ALONE })
      const [one, other, alone] = await Promise.all([
        this.#isListed(from, pet.id),
        this.#isListed(from, pet.id),
        this.#ask(`/v1/pets/${pet.id}`, { headers: ALONE }),
      ])
      if (!one || !other) this.stale.push(`${name} is not in a list`)
      if (alone.status !== 200) this.stale.push(`${name} is not found`)
    }
  }

  async #isListed(from: string, wanted: bigint): Promise<boolean> {
    for (let target: string | undefined = from; target !== undefined; ) {
      const page: Answer = await this.#ask(target, { headers: ALONE })
      if (page.pets.some(({ id }) => id === wanted)) return true
      target = page.link('next')
      this.#lastPage = target ?? this.#lastPage
    }
    return false
  }

  async #ask(target: string, init: { method?: string; body?: string; headers?: object } = {}) {
    const url = this.#urls[this.#asked++ % this.#urls.length]
    return Answer.from(await fetch(url + target, { ...init, headers: { ...HEADERS, ...init.headers } }))
  }
}

test.each([
  ['four threads', async () => [await startThreads()]],
  [
    'two services on one SQLite database',
    async () => startInstances(2, { databaseUrl: await freshSqliteUrl() }),
  ],
] as const)('of %s, each shows an animal as soon as any of them has confirmed it', async (_name, start) => {
  const services = await start()
  const probes = new Probes(services)
  await probes.run()
  expect(probes.stale).toEqual([])
  for (const service of services) expect(await service.stop()).toBe(0)
})
