import { unavailable } from '../../unavailable.ts'
import { ThreadClient, type ThreadOptions } from '../thread/client.ts'
import { threadOf } from '../thread/thread.ts'
import { monotonicMs } from './monotonic.ts'
import type { ReadQueries } from './queries.ts'

export interface ReaderOptions extends Pick<ThreadOptions, 'name' | 'deadlineMs' | 'onDamage' | 'onStall'> {
  readonly path: string
}

/** The limit of reads waiting for one thread; another one would hardly be answered in time. */
const MAX_WAITING = 10_000

/** Reads in a separate thread, so that a slow or hanging disk blocks nothing else. */
export class ReaderClient {
  readonly #thread: ThreadClient<Record<string, (wantedUntil: number, ...args: readonly unknown[]) => string>>
  readonly #deadlineMs: number

  constructor({ path, ...options }: ReaderOptions) {
    this.#deadlineMs = options.deadlineMs
    this.#thread = new ThreadClient({
      ...options,
      start: threadOf('store/sqlite/reader/reader-thread.ts'),
      open: [path],
      unanswered: unavailable,
    })
  }

  get isStalled(): boolean {
    return this.#thread.isStalled
  }

  ready(): Promise<void> {
    return this.#thread.ready()
  }

  assertAnswering(): void {
    this.#thread.assertAnswering()
  }

  async read<Name extends keyof ReadQueries>(
    name: Name,
    ...args: Parameters<ReadQueries[Name]>
  ): Promise<string> {
    if (this.#thread.waiting >= MAX_WAITING) throw unavailable(new Error('Too many reads are waiting'))
    return this.#thread.call(name, monotonicMs() + this.#deadlineMs, ...args)
  }

  /** A hanging reader holds nothing that could be lost, so it ends with the process. */
  async close(): Promise<void> {
    if (!this.isStalled) await this.#thread.close().catch(() => {})
  }
}
