import type { ProcessCounts } from '../../http/public-endpoints.ts'
import type { FromInstance, ToInstance } from './messages.ts'

/** The supervisor as a process sees it that was started by one. */
export class Supervisor {
  /** Resolves when this process is to stop: it is told to, or there is no supervisor any more. */
  readonly stopping: Promise<void>
  counts: ProcessCounts
  #page: (() => string) | undefined

  constructor(wanted: number) {
    this.counts = { serving: wanted, wanted }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.stopping = promise
    process.on('message', (message: ToInstance) => {
      if (message.kind === 'counts') this.counts = message.counts
      else if (message.kind === 'ping') void say({ kind: 'alive' })
      else void say({ kind: 'metrics', page: this.#page?.() ?? '' })
    })
    process.on('disconnect', resolve)
    process.on('SIGTERM', () => resolve())
    // A terminal sends these to all processes; the supervisor decides what they mean.
    process.on('SIGINT', () => {})
    process.on('SIGHUP', () => {})
  }

  serving(page: (() => string) | undefined): void {
    this.#page = page
    void say({ kind: 'listening' })
  }

  goodbye(unanswered: number): Promise<void> {
    return say({ kind: 'stopped', unanswered, page: this.#page?.() })
  }
}

/** Resolves when it is on its way, or there is no one to hear it. */
function say(message: FromInstance): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
  else resolve()
  return promise
}
