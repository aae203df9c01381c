import type { ResponseCache } from '../api/cache.ts'
import { startServer } from '../api/server.ts'
import { Turns } from '../api/turns.ts'
import type { Config } from '../config/load.ts'
import type { TlsPair } from '../config/tls.ts'
import { originOf } from '../contract/servers.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { KeyUses } from '../keys/key-uses.ts'
import { Counter } from '../observability/counts.ts'
import { type Event, EventQueue, type Observe } from '../observability/events.ts'
import { type LineOptions, lineRenderer } from '../observability/log.ts'
import { type Figures, seconds, series } from '../observability/metrics.ts'
import { type Exit, OperatorError } from '../operator-error.ts'
import type { PageFiles } from '../pages/files.ts'
import { servedPages } from '../pages/pages.ts'
import { RELEASE } from '../release.ts'
import type { WriterLink } from '../store/engine.ts'
import { engineOf } from '../store/engines.ts'

export interface ListenerOptions {
  readonly config: Config
  readonly pageFiles: PageFiles
  /** The port of the service, which all its listeners share; 0 for any. */
  readonly port: number
  readonly tls: TlsPair | undefined
  readonly rateCounts: SharedArrayBuffer | undefined
  readonly failed?: Int32Array | undefined
  readonly lines: LineOptions
  /** To the writer thread, if the engine has one. */
  readonly link?: WriterLink | undefined
}

export type ToListener = readonly ['start', ListenerOptions] | readonly ['report' | 'ready' | 'drain']

export type FromListener =
  | readonly ['listening', port: number]
  | readonly ['failed', message: string, exit: Exit]
  /** Empty while the thread starts, or if the metrics are off. */
  | readonly ['report', Figures]
  | readonly ['ready', boolean]
  | readonly ['lines', text: string]
  | readonly ['drained', unfinished: number]

type Post = (message: FromListener) => void

type Listener = Awaited<ReturnType<typeof startListener>>

/** Returns what handles the messages of the main thread. */
export function listenerFor(post: Post): (message: ToListener) => Promise<void> {
  let starting: Promise<void> | undefined
  let listener: Listener | undefined

  async function start(options: ListenerOptions): Promise<void> {
    try {
      listener = await startListener(options, post)
      post(['listening', listener.port])
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      post(['failed', error.message, error.exit])
    }
  }

  return async message => {
    if (message[0] === 'start') starting = start(message[1])
    else if (message[0] === 'report') post(['report', listener?.figures() ?? {}])
    else if (message[0] === 'ready') post(['ready', (await listener?.isReady()) ?? false])
    else {
      await starting
      post(['drained', (await listener?.drain()) ?? 0])
    }
  }
}

/** Serves requests in this thread until the main thread asks it to drain. */
async function startListener(options: ListenerOptions, post: Post) {
  const { config, pageFiles, port, tls, rateCounts, failed, lines, link } = options
  const { environment, threads, apiKey: configuredKey } = config
  const counter = config.metricsPort === undefined ? undefined : new Counter()
  counter?.measureLag()
  const uses = new KeyUses()
  const queue = new EventQueue([counter, uses, toMain(post, lines)])
  const traces = await startTraces(config, queue.observe)
  const observe: Observe = traces
    ? event => {
        traces.observe(event)
        queue.observe(event)
      }
    : queue.observe

  const turns = new Turns()
  const engine = await engineOf(config)
  const store = await engine.open({
    create: false,
    caller: 'service',
    observe,
    turn: () => turns.number,
    threads,
    failed,
    link,
  })
  const ring = new KeyRing({ environment, keys: store.keys, configuredKey, observe })
  const pages = servedPages(config, pageFiles)
  const inSpan = traces?.inSpan
  const server = startServer({
    config,
    port,
    tls,
    rateCounts,
    store,
    ring,
    turns,
    pages: pages.respond,
    observe,
    inSpan,
  })
  pages.fillIn(originOf(tls ? 'https' : 'http', config.host, server.port))
  const stopRecording = uses.startRecording(store.keys, observe)

  return {
    port: server.port,
    /** The main thread asks for them every second. */
    figures: (): Figures => {
      queue.flush()
      if (counter === undefined) return {}
      const { animals, isStalled, calls } = store.backlog()
      return {
        ...counter.figures(),
        ...uses.figures(),
        ...cacheReads(server.caches),
        petstore_store_writes_waiting: animals,
        petstore_store_stalled: isStalled === undefined ? undefined : Number(isStalled),
        petstore_pool_waiting: calls,
        petstore_key_expiry_timestamp_seconds: seconds(ring.nextExpiry()),
      }
    },
    isReady: async () => (await server.readiness().catch(() => undefined)) !== undefined,
    /** Resolves with the number of requests that were not completed. */
    drain: async (): Promise<number> => {
      const unfinished = await server.drain()
      queue.flush()
      await Promise.all([stopRecording(), traces?.close()])
      await store.close()
      queue.flush()
      return unfinished
    },
  }
}

const cacheReads = (caches: Readonly<Record<string, ResponseCache>>): Figures =>
  Object.fromEntries(
    Object.entries(caches).flatMap(([operation, { reads }]) => [
      [series('petstore_cache_reads_total', { operation, result: 'hit' }), reads.hits],
      [series('petstore_cache_reads_total', { operation, result: 'miss' }), reads.misses],
    ]),
  )

/** Loads the tracing code only if traces are on. */
async function startTraces({ environment, tracesUrl: url }: Config, report: Observe) {
  if (url === undefined) return undefined
  const { Tracing } = await import('../observability/traces.ts')
  return new Tracing(url, RELEASE, environment, report)
}

/** Events leave this thread as lines, many in one message. */
function toMain(post: Post, options: LineOptions) {
  const render = lineRenderer(options)
  let lines: string[] = []
  const flush = (): void => {
    if (lines.length > 0) post(['lines', lines.join('\n')])
    lines = []
  }
  const add = (event: Event, at: number): void => {
    const line = render(event, at)
    if (line !== undefined) lines.push(line)
  }
  return { add, flush }
}
