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

type Reads = Record<string, (wantedUntil: number, ...args: readonly unknown[]) => string>

/** Reads in a separate thread, so that a slow or hanging disk blocks nothing else. */
export class ReaderClient extends ThreadClient<Reads> {
  readonly #deadlineMs: number

  constructor({ path, ...options }: ReaderOptions) {
    const start = threadOf('store/sqlite/reader/reader-thread.ts')
    super({ ...options, start, open: [path], unanswered: unavailable })
    this.#deadlineMs = options.deadlineMs
  }

  async read<Name extends keyof ReadQueries>(
    name: Name,
    ...args: Parameters<ReadQueries[Name]>
  ): Promise<string> {
    if (this.waiting >= MAX_WAITING) throw unavailable(new Error('Too many reads are waiting'))
    return this.call(name, monotonicMs() + this.#deadlineMs, ...args)
  }

  /** A hanging reader holds nothing that could be lost, so it ends with the process. */
  override async close(): Promise<void> {
    if (!this.isStalled) await super.close().catch(() => {})
  }
}
