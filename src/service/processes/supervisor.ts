import type { ProcessCounts } from '../../api/context.ts'
import type { FromInstance, ToInstance } from './messages.ts'

/** The supervisor as seen by a process that it started. */
export class Supervisor {
  /** Resolves when this process must stop: it was told to, or the supervisor is gone. */
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

/** Resolves when the message is sent, or if nothing can receive it. */
function say(message: FromInstance): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
  else resolve()
  return promise
}
