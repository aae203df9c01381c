import type { Observe } from '../../../observability/events.ts'
import { messageOf } from '../../../operator-error.ts'
import type { PostgresDatabase } from '../../database.ts'
import type { PageQuery, StoredPage } from '../../store.ts'
import type { Connections } from '../connection/connections.ts'
import type { History } from '../connection/history.ts'
import { hostOf } from '../connection/pool.ts'
import { type FoundPets, pageUpTo } from '../pages.ts'
import { PrimaryRun, type Run } from './primary-run.ts'
import { inTime, Replica } from './replica.ts'

interface ReplicasOptions {
  readonly replicas: PostgresDatabase
  readonly primary: Connections
  readonly history: History
  /** Asks the primary, after the call. */
  readonly askRevision: () => Promise<bigint>
  readonly cursorSecret: string
  readonly observe: Observe
}

/**
 * Reads pages on standbys. A page counts only if it is exactly what the primary had at some moment after the request:
 * the standby must follow the primary's present run and have at least the primary's revision, and what it has beyond
 * that is left out. In every other case the primary is read.
 */
export class Replicas {
  /** Pages by where they were read, and why. */
  readonly counts = { replica: 0, behind: 0, failed: 0, paused: 0 }
  readonly #replicas: readonly Replica[]
  readonly #run: PrimaryRun
  readonly #askRevision: () => Promise<bigint>
  #last = 0

  constructor(options: ReplicasOptions) {
    const { replicas, primary, history, observe } = options
    const max = replicas.connections ?? primary.state.max
    this.#replicas = replicas.urls.map(url => new Replica(url, { ...options, max }))
    this.#askRevision = options.askRevision
    this.#run = new PrimaryRun(primary, history, error =>
      observe({
        kind: 'replica-unused',
        host: replicas.urls.map(hostOf).join(','),
        reason: `the primary's run could not be written to the table meta: ${messageOf(error)}`,
      }),
    )
  }

  /** Undefined if the primary must be read. */
  async readPage(query: PageQuery): Promise<StoredPage | undefined> {
    const run = this.#run.present
    const replica = this.#next()
    if (run === undefined || replica === undefined) return this.#not('paused')
    const began = performance.now()
    const found = await replica.read(query, run.name)
    if (typeof found === 'string') return this.#not(found)
    const page = await this.#pageOf(found, run, query.limit)
    if (page === 'unknown') return this.#not('failed')
    if (page === 'behind') return this.#not(replica.behind())
    replica.succeeded(began, !page.more)
    // The primary may have been replaced meanwhile.
    if (!this.#run.isPresent(run)) return this.#not('paused')
    this.counts.replica++
    return page
  }

  get state() {
    const states = this.#replicas.map(({ state }) => state)
    const sum = (name: 'open' | 'idle' | 'waiting' | 'max') =>
      states.reduce((total, state) => total + state[name], 0)
    return { open: sum('open'), idle: sum('idle'), waiting: sum('waiting'), max: sum('max') }
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map(replica => replica.close()))
  }

  async #pageOf(found: FoundPets, run: Run, limit: number): Promise<StoredPage | 'behind' | 'unknown'> {
    const page = pageUpTo(run.revision, found, limit)
    // A page that others follow never changes, so the primary need not be asked.
    if (page.more) return page
    // Where many wait for one question, its failure must not be the failure of all.
    const revision = await inTime(this.#askRevision()).catch(() => undefined)
    if (revision === undefined) return 'unknown'
    if (revision > run.revision) run.revision = revision
    return found.revision >= revision ? pageUpTo(revision, found, limit) : 'behind'
  }

  /** In turn, without those that are left alone. */
  #next(): Replica | undefined {
    for (let tried = 0; tried < this.#replicas.length; tried++) {
      this.#last = (this.#last + 1) % this.#replicas.length
      const replica = this.#replicas[this.#last] as Replica
      if (!replica.isResting) return replica
    }
    return undefined
  }

  #not(outcome: 'behind' | 'failed' | 'paused'): undefined {
    this.counts[outcome]++
  }
}
