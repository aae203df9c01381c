import type { Observe } from '../../../observability/events.ts'
import type { Patience } from '../../patience.ts'
import { unavailable } from '../../unavailable.ts'
import { ThreadClient } from '../thread/client.ts'
import { threadOf } from '../thread/thread.ts'

interface CheckpointOptions {
  readonly path: string
  readonly patience: Patience
  /** Pages in the log. */
  readonly pages: () => number
  readonly observe: Observe
}

/** 4 MB, SQLite's default. */
const EVERY_PAGES = 1000

/**
 * Copies the log into the database in a separate thread, in parallel with commits. SQLite would do it within a commit,
 * and still does if this falls behind (`LONGEST_LOG_PAGES`).
 */
export class Checkpoints {
  readonly #pages: () => number
  readonly #observe: Observe
  readonly #thread: ThreadClient<{ copyLog: () => void }>
  /** Pages in the log when it was last copied. */
  #copied = 0
  #isRunning = false

  constructor({ path, patience, pages, observe }: CheckpointOptions) {
    this.#pages = pages
    this.#observe = observe
    this.#thread = new ThreadClient({
      name: 'checkpointer',
      start: threadOf('store/sqlite/writer/checkpoint-thread.ts'),
      open: [path, patience.lockMs],
      deadlineMs: patience.deadlineMs,
      unanswered: unavailable,
      // Writes fail for the same reason and report it.
      onDamage: () => {},
      onStall: { stalled: () => {}, recovered: () => {} },
    })
  }

  /** Checks after a write whether a checkpoint is due. The write does not wait. */
  async after<T>(write: Promise<T>): Promise<T> {
    const result = await write
    const pages = this.#pages()
    if (pages < this.#copied) this.#copied = 0
    if (!this.#isRunning && pages - this.#copied >= EVERY_PAGES) {
      this.#copied = pages
      void this.#copy()
    }
    return result
  }

  async #copy(): Promise<void> {
    this.#isRunning = true
    try {
      await this.#thread.call('copyLog')
    } catch (cause) {
      // The log keeps what was not copied, and the next attempt starts there.
      this.#observe({ kind: 'background-task-failed', task: 'copying the log into the database', cause })
    } finally {
      this.#isRunning = false
    }
  }

  /** A hanging thread holds nothing that could be lost, so it ends with the process. */
  async close(): Promise<void> {
    if (!this.#thread.isStalled) await this.#thread.close().catch(() => {})
  }
}
