import { petJson } from '../../../support/http/exact.ts'
import { API_KEY } from '../../../support/service/service.ts'

const HEADERS = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }

/** A client that reads and adds animals at a steady rate, and records how long each answer takes. */
export class Bystander {
  readonly times: number[] = []
  readonly unexpected: string[] = []
  readonly #done: Promise<void>
  #isOver = false

  constructor(url: string) {
    this.#done = this.#live(url)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#done
  }

  get p99(): number {
    return Math.round(this.times.toSorted((a, b) => a - b)[Math.floor(this.times.length * 0.99)] ?? 0)
  }

  async #live(url: string): Promise<void> {
    for (let n = 0; !this.#isOver; n++) {
      const started = performance.now()
      const init = n % 2 === 0 ? {} : { method: 'POST', body: petJson({ name: `bystander ${n}` }) }
      try {
        const response = await fetch(`${url}/v1/pets`, { ...init, headers: HEADERS })
        await response.text()
        if (response.status !== (n % 2 === 0 ? 200 : 201)) this.unexpected.push(String(response.status))
      } catch (error) {
        this.unexpected.push(String(error))
      }
      this.times.push(performance.now() - started)
      await Bun.sleep(10)
    }
  }
}
