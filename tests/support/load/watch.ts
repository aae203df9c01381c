import { petJson } from '../http/exact.ts'
import type { Service } from '../service/service.ts'

const DUE_MS = 5000
const PAUSE_MS = 20

interface Seen {
  readonly probe: string
  readonly status: number
  readonly retryAfter: string | null
  readonly sentAt: number
  readonly tookMs: number
}

type Probe = (service: Service) => Promise<{ status: number; headers: Headers }>

/** Requests that need the database: none can be answered from memory. */
const PROBES: Record<string, Probe> = {
  list: service => service.fetch('/v1/pets?status=sold'),
  get: service => service.fetch(`/v1/pets/${2n ** 62n}`),
  create: service => service.post(petJson({ name: 'watched' })),
  ready: service => service.fetch('/readyz'),
}
const SERVED: Record<string, number> = { list: 200, get: 404, create: 201, ready: 200 }

/** Uses a service continuously while something happens to its database, and records the answers. */
export class Watch {
  readonly seen: Seen[] = []
  readonly #service: Service
  readonly #loops: Promise<void>[]
  #isOver = false

  constructor(service: Service) {
    this.#service = service
    this.#loops = Object.keys(PROBES).map(probe => this.#loop(probe))
  }

  /** Whether every kind of request sent after a moment has been served; true once all have. */
  allServedSince(moment: number): true | undefined {
    return this.#allSince(moment, ({ probe, status }) => status === SERVED[probe])
  }

  allRefusedSince(moment: number): true | undefined {
    return this.#allSince(moment, ({ status }) => status === 503)
  }

  /** Stops, and returns every answer that was neither right nor a timely 503 with Retry-After. */
  async faults(): Promise<Seen[]> {
    this.#isOver = true
    await Promise.all(this.#loops)
    return this.seen.filter(
      ({ probe, status, retryAfter, tookMs }) =>
        tookMs > DUE_MS || (status !== SERVED[probe] && (status !== 503 || retryAfter === null)),
    )
  }

  #allSince(moment: number, matches: (seen: Seen) => boolean): true | undefined {
    const since = this.seen.filter(({ sentAt }) => sentAt > moment)
    return (
      Object.keys(PROBES).every(name => since.some(seen => seen.probe === name && matches(seen))) || undefined
    )
  }

  async #loop(probe: string): Promise<void> {
    while (!this.#isOver) {
      const sentAt = performance.now()
      const { status, headers } = await (PROBES[probe] as Probe)(this.#service)
      const tookMs = performance.now() - sentAt
      this.seen.push({ probe, status, retryAfter: headers.get('retry-after'), sentAt, tookMs })
      await Bun.sleep(PAUSE_MS)
    }
  }
}
