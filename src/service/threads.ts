import { DRAIN_MS } from '../deadlines.ts'
import { inBackground, type Observe } from '../observability/events.ts'
import { combined, type Figures, withoutGauges } from '../observability/metrics.ts'
import { OperatorError } from '../operator-error.ts'
import type { KeptStore } from '../store/engine.ts'
import type { FromListener, ListenerOptions, ToListener } from './listener.ts'

const TIMES = {
  /** How long after the end of a thread another one replaces it. */
  restartMs: 1000,
  /** How often a thread is asked for its figures, to learn whether it responds. */
  askMs: 1000,
  /** A thread is ended after this many questions without a response. No clock is used, because the whole process may have been paused. */
  maxUnanswered: 10,
  /** A thread that is busy for longer is reported as it was before. */
  reportMs: 1000,
  drainMs: DRAIN_MS,
}

/** What is needed of a Worker. */
export type ListenerWorker = Pick<
  Worker,
  'onmessage' | 'onerror' | 'postMessage' | 'addEventListener' | 'terminate'
>

interface ThreadOptions {
  readonly startWorker: () => ListenerWorker
  readonly listener: Omit<ListenerOptions, 'port' | 'link'>
  readonly newLink: KeptStore['newLink']
  readonly print: (lines: string) => void
  readonly observe: Observe
}

/** A thread that listens on the service's port. If it ends without being asked to, another one takes its place. */
export class ListenerThread {
  /** As in the log, such as `listener 1`. */
  readonly #name: string
  readonly #options: ThreadOptions
  readonly #times: typeof TIMES
  #worker: ListenerWorker | undefined
  #state: 'starting' | 'listening' | 'ending' = 'starting'
  #isStopping = false
  /** Questions since the thread last sent anything. */
  #unanswered = 0
  /** Known once it has listened. */
  #port: number | undefined
  #listening = Promise.withResolvers<number>()
  #reported = Promise.withResolvers<void>()
  #ready = Promise.withResolvers<boolean>()
  #drained = Promise.withResolvers<number>()
  #figures: Figures = {}
  /** The counts of the threads that this one replaces. Counters must not go back. */
  #earlier: Figures = {}

  constructor(name: string, options: ThreadOptions, times = TIMES) {
    this.#name = name
    this.#options = options
    this.#times = times
    setInterval(() => this.#ask(), times.askMs).unref()
  }

  /** Resolves with the port when the thread listens; fails with the reason if it cannot. */
  start(port: number): Promise<number> {
    const { startWorker, listener, newLink } = this.#options
    this.#state = 'starting'
    this.#listening = Promise.withResolvers()
    this.#drained = Promise.withResolvers()
    const worker = startWorker()
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<FromListener>) => this.#receive(data)
    worker.onerror = ({ message }) => this.#end(message)
    worker.addEventListener('close', () => {
      this.#end('it ended by itself')
      void this.#replace()
    })
    const link = newLink?.()
    const start: ToListener = ['start', { ...listener, port, link }]
    worker.postMessage(start, [...(link ?? [])])
    return this.#listening.promise
  }

  /** Its latest figures, and everything that it and the threads before it have counted. */
  async figures(): Promise<Figures> {
    this.#send(['report'])
    await Promise.race([this.#reported.promise, Bun.sleep(this.#times.reportMs)])
    return combined([this.#earlier, this.#figures])
  }

  /** Whether its `/readyz` returns 200 now; false if it does not say so in time. */
  async isReady(): Promise<boolean> {
    this.#send(['ready'])
    return (await Promise.race([this.#ready.promise, Bun.sleep(this.#times.reportMs)])) ?? false
  }

  /** Completes the requests in progress; resolves with the number that were not, 1 for a thread that does not respond. */
  async drain(): Promise<number> {
    this.#isStopping = true
    if (this.#state !== 'ending') this.#send(['drain'])
    const unfinished = await Promise.race([this.#drained.promise, Bun.sleep(this.#times.drainMs)])
    this.#end('the service stops')
    return unfinished ?? 1
  }

  #send(message: ToListener): void {
    this.#worker?.postMessage(message)
  }

  /** A thread that responds with its figures is alive. On a busy machine it may take long to start, so that is not counted. */
  #ask(): void {
    if (this.#state !== 'listening') return
    if (this.#unanswered++ >= this.#times.maxUnanswered) this.#end('it did not respond for 10 seconds')
    else this.#send(['report'])
  }

  #receive(message: FromListener): void {
    this.#unanswered = 0
    if (message[0] === 'lines') this.#options.print(message[1])
    else if (message[0] === 'report') {
      this.#figures = message[1]
      this.#reported.resolve()
      this.#reported = Promise.withResolvers()
    } else if (message[0] === 'ready') {
      this.#ready.resolve(message[1])
      this.#ready = Promise.withResolvers()
    } else if (message[0] === 'listening') {
      this.#state = 'listening'
      this.#port = message[1]
      this.#listening.resolve(message[1])
    } else if (message[0] === 'failed') {
      const [, reason, exit] = message
      this.#listening.reject(new OperatorError(reason, { exit }))
      this.#end(reason)
    } else this.#drained.resolve(message[1])
  }

  /** Ends the thread, even if it is in an endless loop. One that waits for a disk ends late. */
  #end(reason: string): void {
    this.#worker?.terminate()
    if (this.#state === 'ending') return
    const wasListening = this.#state === 'listening'
    this.#state = 'ending'
    this.#listening.reject(new OperatorError(`A thread could not start: ${reason}.`))
    this.#drained.resolve(this.#isStopping ? 1 : 0)
    if (this.#isStopping || !wasListening) return
    this.#options.observe({ kind: 'thread-ended', thread: this.#name, reason })
  }

  /** Called when the thread has ended: another one would have to wait for the same disk, or for the port. */
  async #replace(): Promise<void> {
    this.#earlier = combined([this.#earlier, withoutGauges(this.#figures)])
    this.#figures = {}
    await Bun.sleep(this.#times.restartMs)
    const port = this.#port
    if (this.#isStopping || port === undefined) return
    // If it cannot start, it ends too, and is replaced in turn.
    await inBackground('replacing a thread', this.#options.observe, () => this.start(port))
  }
}
