import type { TlsPair } from '../api/listen.ts'
import { type Server, startServer } from '../api/server.ts'
import type { Config } from '../config/load.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { recordKeyUses } from '../keys/record-uses.ts'
import { Counter, type Counts } from '../observability/counts.ts'
import {
  type Event,
  type EventListener,
  EventQueue,
  isFrequent,
  type Observe,
} from '../observability/events.ts'
import { type LineOptions, lineRenderer, withPlainErrors } from '../observability/log.ts'
import type { CacheFigures, StoreFigures } from '../observability/metrics.ts'
import { type Exit, OperatorError } from '../operator-error.ts'
import { engineOf } from '../store/engines.ts'
import { type Store, tracedStore } from '../store/store.ts'
import { RELEASE } from '../this-program.ts'

export interface ListenerOptions {
  readonly config: Config
  /** The port of the service, which all its listeners share; 0 for any. */
  readonly port: number
  readonly tls: TlsPair | undefined
  readonly rateLimits: SharedArrayBuffer | undefined
  readonly lines: LineOptions
  readonly recordUsesEveryMs: number | undefined
}

/** What the main thread sends: first the options, then ports to the writer when this thread asks for one. */
export type ToListener =
  | readonly ['start', ListenerOptions]
  | readonly ['writer', MessagePort]
  | readonly ['ping']
  | readonly ['report']
  | readonly ['drain']

export type FromListener =
  | readonly ['listening', port: number]
  | readonly ['failed', message: string, exit: Exit]
  | readonly ['connect-writer']
  | readonly ['pong']
  | readonly ['report', Report]
  | readonly ['lines', text: string]
  /** As JSON: the runtime loses the causes of errors between threads. */
  | readonly ['event', json: string, at: number]
  | readonly ['drained', unfinished: number]

/** The figures of one thread for the metrics. */
export interface Report {
  readonly counts: Counts | undefined
  readonly caches: CacheFigures
  readonly store: StoreFigures
  readonly keyExpiry: Date | undefined
}

type Post = (message: FromListener) => void

/** Serves requests in this thread until the main thread asks it to drain. */
class Listener {
  readonly #counter: Counter | undefined
  readonly #queue: EventQueue
  readonly #ring: KeyRing
  readonly #store: Store
  readonly #server: Server
  readonly #close: () => Promise<unknown>

  private constructor(options: ListenerOptions, store: Store, events: Events, traces: Traces | undefined) {
    const { config, recordUsesEveryMs } = options
    const { observe } = events
    this.#counter = events.counter
    this.#queue = events.queue
    this.#store = traces === undefined ? store : tracedStore(store, traces.call)
    const { environment, apiKey: configuredKey } = config
    this.#ring = new KeyRing({ environment, keys: this.#store.keys, configuredKey })
    this.#server = startServer({
      ...options,
      store: this.#store,
      ring: this.#ring,
      observe,
      inSpan: traces?.inSpan,
    })
    const stopRecording = recordKeyUses(this.#ring, observe, recordUsesEveryMs)
    this.#close = async () => {
      await Promise.all([stopRecording(), traces?.close()])
      await store.close()
    }
  }

  static async start(
    options: ListenerOptions,
    post: Post,
    connectWriter: () => Promise<MessagePort>,
  ): Promise<Listener> {
    const { config, lines } = options
    const counter = config.metricsPort === undefined ? undefined : new Counter()
    const queue = new EventQueue([counter, toMain(post, lines)])
    const traces = await startTraces(config, queue.observe)
    const observe: Observe = traces
      ? event => {
          traces.observe(event)
          queue.observe(event)
        }
      : queue.observe
    const thread = { count: config.threads, connectWriter }
    const store = await engineOf(config).open({ create: false, observe, caller: 'service', thread })
    try {
      return new Listener(options, store, { counter, queue, observe }, traces)
    } catch (error) {
      await store.close()
      throw error
    }
  }

  get port(): number {
    return this.#server.port
  }

  report(): Report {
    this.#queue.flush()
    const keyExpiry = this.#ring.nextExpiry()?.at
    return {
      counts: this.#counter?.counts,
      caches: this.#server.caches(),
      store: this.#store.state(),
      keyExpiry,
    }
  }

  async drain(): Promise<number> {
    const unfinished = await this.#server.drain()
    this.#queue.flush()
    await this.#close()
    this.#queue.flush()
    return unfinished
  }
}

interface Events {
  readonly counter: Counter | undefined
  readonly queue: EventQueue
  readonly observe: Observe
}

type Traces = NonNullable<Awaited<ReturnType<typeof startTraces>>>

/** Loads the tracing code only if traces are on. */
async function startTraces({ environment, tracesUrl: url }: Config, report: Observe) {
  if (url === undefined) return undefined
  const { Tracing } = await import('../observability/traces.ts')
  return new Tracing({ url, version: RELEASE, environment, report })
}

/** Frequent events leave this thread as lines, many in one message. The main thread decides about the others. */
function toMain(post: Post, options: LineOptions): EventListener {
  const render = lineRenderer(options)
  let lines: string[] = []
  const flush = (): void => {
    if (lines.length > 0) post(['lines', lines.join('\n')])
    lines = []
  }
  const add = (event: Event, at: number): void => {
    if (isFrequent(event)) {
      const line = render(event, at)
      if (line !== undefined) lines.push(line)
    } else {
      flush()
      post(['event', JSON.stringify(event, withPlainErrors), at])
    }
  }
  return { add, flush }
}

/** Returns what handles the messages of the main thread. */
export function listenerFor(post: Post): (message: ToListener) => Promise<void> {
  const waitingForWriter: ((port: MessagePort) => void)[] = []
  let listener: Listener | undefined

  function connectWriter(): Promise<MessagePort> {
    post(['connect-writer'])
    return new Promise(resolve => waitingForWriter.push(resolve))
  }

  async function start(options: ListenerOptions): Promise<void> {
    try {
      listener = await Listener.start(options, post, connectWriter)
      post(['listening', listener.port])
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      post(['failed', error.message, error.exit])
    }
  }

  return async message => {
    if (message[0] === 'start') await start(message[1])
    else if (message[0] === 'writer') waitingForWriter.shift()?.(message[1])
    else if (message[0] === 'ping') post(['pong'])
    else if (message[0] === 'drain') post(['drained', (await listener?.drain()) ?? 0])
    else if (listener !== undefined) post(['report', listener.report()])
  }
}
