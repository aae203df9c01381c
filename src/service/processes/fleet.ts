import type { ProcessCounts } from '../../api/context.ts'
import type { Observe } from '../../observability/events.ts'
import { addPages } from '../../observability/metrics/add-pages.ts'
import type { Sharing } from '../../store/engine.ts'
import { Child } from './child.ts'

const FIRST_RESTART_MS = 100
const LAST_RESTART_MS = 10_000
/** A process that served this long did not end because of how it was started. */
const SETTLED_MS = 10_000
/** Each process ends on its own within 10 seconds; this leaves the supervisor a little of that time. */
const DRAIN_MS = 9200
const PING_EVERY_MS = 2000
/** A process that misses this many pings in a row hangs and may block the others, so it is killed and replaced. */
const MAX_UNHEARD = 5
/** A process that takes longer to start hangs. */
const START_MS = 60_000

export interface FleetEnding {
  readonly unanswered: number
  /** How processes ended that did not end by themselves and close the database. */
  readonly unclean: readonly string[]
}

interface FleetOptions {
  readonly wanted: number
  readonly port: number
  readonly sharing: Sharing | undefined
  readonly observe: Observe
}

/** A process that has only begun to start ends by the signal itself. */
const CLEAN = ['exit code 0', 'SIGTERM']

/** All processes that serve on one port, each replaced when it ends. */
export class Fleet {
  readonly #options: FleetOptions
  /** Every process that has not ended, including those that are leaving. */
  readonly #alive = new Set<Child>()
  /** The processes that serve or will serve, by place. */
  readonly #places: Child[] = []
  readonly #restartMs: number[] = []
  /** The metrics of processes that have ended. */
  #gone = ''
  readonly #started = Promise.withResolvers<void>()
  #isStopping = false
  #isReloading = false
  #mustReloadAgain = false
  #pinging: Timer | undefined

  constructor(options: FleetOptions) {
    this.#options = options
  }

  /** Resolves when all of them serve. */
  async start(): Promise<void> {
    const { wanted } = this.#options
    this.#pinging = setInterval(() => this.#endSilent(), PING_EVERY_MS)
    for (let place = 0; place < wanted; place++) this.#put(place, this.#begin())
    await Promise.all(this.#places.map(({ listening }) => listening))
    for (const [place, child] of this.#places.entries()) void this.#replaceWhenEnded(place, child)
    this.#started.resolve()
  }

  /** Replaces all processes. A request that comes meanwhile is served afterwards: what it is about may have been read already. */
  async reload(): Promise<void> {
    this.#mustReloadAgain = true
    if (this.#isReloading) return
    this.#isReloading = true
    // A process that has only begun to start must not leave: the start would fail.
    await this.#started.promise
    while (this.#mustReloadAgain && !this.#isStopping) {
      this.#mustReloadAgain = false
      await this.#replaceAll()
    }
    this.#isReloading = false
  }

  async stop(): Promise<FleetEnding> {
    this.#isStopping = true
    clearInterval(this.#pinging)
    const all = [...this.#alive]
    for (const child of all) child.leave()
    const ended = Promise.all(all.map(child => child.ended))
    if ((await Promise.race([ended, Bun.sleep(DRAIN_MS)])) === undefined) this.kill()
    const reasons = await ended
    return {
      unanswered: all.reduce((sum, { unanswered }) => sum + unanswered, 0),
      unclean: reasons.filter(reason => !CLEAN.includes(reason)),
    }
  }

  kill(): void {
    for (const child of this.#alive) child.kill()
  }

  /** The sum of the metrics of all processes and of this one. */
  async page(own: string): Promise<string> {
    const children = [...this.#alive].filter(({ isListening }) => isListening)
    const asked = await Promise.all(children.map(async child => ({ child, page: await child.page() })))
    // If a process ended meanwhile, `#gone` already contains its metrics.
    const left = asked.filter(({ child }) => this.#alive.has(child))
    const silent = left.filter(({ page }) => page === undefined).map(({ child }) => child.lastPage)
    return addPages([own, ...left.flatMap(({ page }) => page ?? [])], [this.#gone, ...silent])
  }

  #endSilent(): void {
    for (const child of this.#alive) {
      const hangs = child.isListening
        ? child.ping() >= MAX_UNHEARD
        : performance.now() - child.startedAt > START_MS
      if (hangs) child.kill()
    }
  }

  get #counts(): ProcessCounts {
    const serving = this.#places.filter(child => child.isListening && this.#alive.has(child)).length
    return { serving, wanted: this.#options.wanted }
  }

  #begin(): Child {
    const { port, sharing } = this.#options
    const child = new Child(port, sharing)
    this.#alive.add(child)
    void child.ended.then(() => {
      this.#alive.delete(child)
      this.#gone = addPages([], [this.#gone, child.lastPage])
      this.#tellCounts()
    })
    return child
  }

  #put(place: number, child: Child): void {
    this.#places[place] = child
    void child.listening.then(
      () => this.#tellCounts(),
      () => {},
    )
  }

  #tellCounts(): void {
    for (const child of this.#alive) child.tell(this.#counts)
  }

  /** One by one: an old one leaves once its successor serves. Stops at one that cannot start. */
  async #replaceAll(): Promise<void> {
    this.#options.observe({ kind: 'reloading' })
    try {
      for (const place of this.#places.keys()) {
        if (this.#isStopping) return
        await this.#replace(place)
      }
      this.#options.observe({ kind: 'reloaded', processes: this.#places.length })
    } catch (cause) {
      if (!this.#isStopping)
        this.#options.observe({ kind: 'background-task-failed', task: 'reloading', cause })
    }
  }

  async #replace(place: number): Promise<void> {
    const next = this.#begin()
    await next.listening
    const old = this.#places[place] as Child
    this.#put(place, next)
    void this.#replaceWhenEnded(place, next)
    old.leave()
    await old.ended
  }

  async #replaceWhenEnded(place: number, child: Child): Promise<void> {
    const reason = await child.ended
    if (child.isLeaving || this.#isStopping) return
    let restartInMs = this.#nextRestart(place, child)
    this.#options.observe({ kind: 'process-ended', pid: child.pid, reason, restartInMs })
    for (;;) {
      await Bun.sleep(restartInMs)
      // A reload may have filled the place meanwhile.
      if (this.#isStopping || this.#places[place] !== child) return
      try {
        const next = this.#begin()
        this.#put(place, next)
        void this.#replaceWhenEnded(place, next)
        return
      } catch (cause) {
        // The program may be missing for a moment, during an upgrade, or the system is out of processes.
        this.#options.observe({ kind: 'background-task-failed', task: 'starting a process', cause })
        restartInMs = Math.min(LAST_RESTART_MS, restartInMs * 2)
      }
    }
  }

  #nextRestart(place: number, child: Child): number {
    const last = this.#restartMs[place] ?? 0
    const isSettled = performance.now() - child.startedAt > SETTLED_MS
    const next = isSettled || last === 0 ? FIRST_RESTART_MS : Math.min(LAST_RESTART_MS, last * 2)
    this.#restartMs[place] = next
    return next
  }
}
