import { sumOf } from '../observability/counts.ts'
import type { Event, Observe } from '../observability/events.ts'
import { OperatorError } from '../operator-error.ts'
import type { Store } from '../store/store.ts'
import { startThread } from '../this-program.ts'
import type { FromListener, ListenerOptions, Report, ToListener } from './listener.ts'

/** Before another thread replaces one that ended. */
const RESTART_MS = 1000
const PING_MS = 1000
/** A thread that has not responded to this many pings is ended. Pings are counted, because the whole process may have been stopped. */
const MAX_UNANSWERED = 10
/** A thread that is busy is left out of a report. */
const REPORT_MS = 1000
/** The remainder of the 10 seconds within which the process ends belongs to the store and the log. */
const DRAIN_MS = 8000

/** What is needed of a Worker. */
export type ListenerWorker = Pick<
  Worker,
  'onmessage' | 'onerror' | 'postMessage' | 'addEventListener' | 'terminate'
>
export type StartWorker = () => ListenerWorker

export const startListenerThread: StartWorker = () => startThread('service/listener-thread.ts')

interface ThreadEvents {
  report(index: number, event: Event): void
  /** A thread has ended, and whatever it had noticed with it. */
  forget(index: number): void
}

type Tally = Pick<Report, 'counts' | 'caches'>

interface ThreadsOptions {
  readonly count: number
  readonly listener: Omit<ListenerOptions, 'clockShiftMs'>
  readonly startWorker: StartWorker
  readonly observe: Observe
  /** For lines of listeners. */
  readonly print: (text: string) => void
  /** For events of listeners. */
  readonly events: ThreadEvents
  readonly connectWriter: Store['connectWriter']
}

/** The threads that listen on the service's port. One that ends without being asked to is replaced. */
export class Threads {
  readonly #options: ThreadsOptions
  readonly #running = new Set<Thread>()
  readonly #last: (Report | undefined)[] = []
  /** The counts of threads that have ended, without which counters would go back. */
  #ended: Tally = { counts: undefined, caches: {} }
  readonly #pings: Timer
  #isStopping = false

  constructor(options: ThreadsOptions) {
    this.#options = options
    this.#pings = setInterval(() => this.#endSilent(), PING_MS)
  }

  /** Resolves with the port when all threads listen. The first one finds it, if it may be any. */
  async start(): Promise<number> {
    const { count, listener } = this.#options
    const port = await this.#start(0, listener.port)
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => this.#start(index + 1, port)))
    return port
  }

  /** The latest figures of every thread, and everything that they and threads that have ended have counted. */
  async reports(): Promise<{ readonly reports: Report[]; readonly counted: Tally }> {
    const asked = [...this.#running].map(async thread => {
      this.#last[thread.index] = (await thread.ask('report', REPORT_MS)) ?? this.#last[thread.index]
    })
    await Promise.all(asked)
    const reports = this.#last.filter(report => report !== undefined)
    const counted = reports.map(({ counts, caches }) => ({ counts, caches })).reduce(sumOf, this.#ended)
    return { reports, counted }
  }

  /** Completes the requests in progress; resolves with the number that were not, at least 1 for a thread that does not respond. */
  async drain(): Promise<number> {
    this.#isStopping = true
    const unfinished = [...this.#running].map(thread => thread.ask('drained', DRAIN_MS))
    const counts = await Promise.all(unfinished)
    this.close()
    return counts.reduce<number>((sum, count) => sum + (count ?? 1), 0)
  }

  close(): void {
    this.#isStopping = true
    clearInterval(this.#pings)
    for (const thread of this.#running) thread.end('the service stops')
  }

  async #start(index: number, port: number): Promise<number> {
    const { listener, startWorker, observe, connectWriter, print, events } = this.#options
    const thread = new Thread(index, startWorker(), {
      lines: print,
      event: json => events.report(index, JSON.parse(json) as Event),
      'connect-writer': () => {
        const writer = connectWriter?.(index, () => thread.send(['writer-ended']))
        if (writer) thread.send(['writer', writer], [writer])
      },
    })
    this.#running.add(thread)
    const clockShiftMs = Date.now() - (performance.timeOrigin + performance.now())
    thread.send(['start', { ...listener, port, clockShiftMs }])
    let listening: number | undefined
    void thread.ending.then(reason => {
      if (this.#isStopping || listening === undefined) return
      observe({ kind: 'thread-ended', thread: `listener ${index + 1}`, reason })
      events.forget(index)
    })
    void thread.ended.then(() => {
      this.#running.delete(thread)
      if (!this.#isStopping && listening !== undefined) return this.#replace(thread, listening)
    })
    listening = await thread.listening
    return listening
  }

  /** A replacement that cannot start, because the port or the database is not free yet, is tried again. */
  async #replace({ index }: Thread, port: number): Promise<void> {
    const { counts, caches } = this.#last[index] ?? { counts: undefined, caches: {} }
    this.#ended = sumOf(this.#ended, { counts, caches })
    this.#last[index] = undefined
    for (;;) {
      await Bun.sleep(RESTART_MS)
      if (this.#isStopping) return
      try {
        await this.#start(index, port)
        return
      } catch (cause) {
        if (this.#isStopping) return
        this.#options.observe({ kind: 'background-task-failed', task: 'replacing a thread', cause })
      }
    }
  }

  #endSilent(): void {
    for (const thread of this.#running) {
      if (thread.unanswered++ >= MAX_UNANSWERED) thread.end('it did not respond for 10 seconds')
      else thread.send(['ping'])
    }
  }
}

interface MessageHandlers {
  readonly lines: (text: string) => void
  readonly event: (json: string) => void
  readonly 'connect-writer': () => void
}

/** The main thread's end of one listener thread. */
class Thread {
  readonly index: number
  /** Pings since the thread last sent anything. */
  unanswered = 0
  /** Resolves with the reason when the thread has to end. */
  readonly ending: Promise<string>
  /** Resolves when it has ended. A thread that waits for a disk ends late; another one would wait there too. */
  readonly ended: Promise<void>
  /** Resolves with the port; fails with the reason if the thread cannot start. */
  readonly listening: Promise<number>
  readonly #worker: ListenerWorker
  readonly #ending = Promise.withResolvers<string>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #listening = Promise.withResolvers<number>()
  readonly #replies = new Map<FromListener[0], PromiseWithResolvers<unknown>>()

  constructor(index: number, worker: ListenerWorker, handlers: MessageHandlers) {
    this.index = index
    this.ending = this.#ending.promise
    this.ended = this.#ended.promise
    this.listening = this.#listening.promise
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<FromListener>) => this.#receive(data, handlers)
    worker.onerror = ({ message }) => this.end(message)
    worker.addEventListener('close', () => {
      this.end('it ended by itself')
      this.#ended.resolve()
    })
  }

  send(message: ToListener, transfer: MessagePort[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  /** Resolves with the response to a question; undefined if there is none in time. */
  async ask(question: 'report', withinMs: number): Promise<Report | undefined>
  async ask(question: 'drained', withinMs: number): Promise<number | undefined>
  async ask(question: 'report' | 'drained', withinMs: number): Promise<unknown> {
    const reply = this.#replies.get(question) ?? Promise.withResolvers<unknown>()
    this.#replies.set(question, reply)
    this.send([question === 'report' ? 'report' : 'drain'])
    return Promise.race([reply.promise, Bun.sleep(withinMs)])
  }

  /** Ends the thread, even if it is in an endless loop. */
  end(reason: string): void {
    this.#worker.terminate()
    this.#ending.resolve(reason)
    for (const reply of this.#replies.values()) reply.resolve(undefined)
    this.#listening.reject(new OperatorError(`A thread could not start: ${reason}`))
  }

  #receive(message: FromListener, handlers: MessageHandlers): void {
    this.unanswered = 0
    if (message[0] === 'lines') handlers.lines(message[1])
    else if (message[0] === 'event') handlers.event(message[1])
    else if (message[0] === 'connect-writer') handlers['connect-writer']()
    else if (message[0] === 'listening') this.#listening.resolve(message[1])
    else if (message[0] === 'failed') {
      const [, reason, exit] = message
      this.#listening.reject(new OperatorError(reason, { exit }))
      this.end(reason)
    } else if (message[0] !== 'pong') {
      this.#replies.get(message[0])?.resolve(message[1])
      this.#replies.delete(message[0])
    }
  }
}
