import type { ProcessCounts } from '../api/context.ts'
import { type Server, startServer } from '../api/server.ts'
import type { Config } from '../config/load.ts'
import { DeprecatedCallCount } from '../keys/count-deprecated.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { recordKeyUses } from '../keys/record-uses.ts'
import type { Observe } from '../observability/events.ts'
import { fanOut } from '../observability/fan-out.ts'
import { OperatorError } from '../operator-error.ts'
import type { Sharing } from '../store/engine.ts'
import { engineOf } from '../store/engines.ts'
import type { Store } from '../store/store.ts'
import { tracedStore } from '../store/traced-store.ts'
import { restWhileOutOfDescriptors } from './descriptor-shortage.ts'
import { newMetrics, pageOf, startTraces } from './telemetry.ts'

export interface Instance {
  readonly server: Server
  readonly store: Store
  readonly observe: Observe
  /** The metrics as text; undefined if they are off. */
  readonly metricsPage: (() => string) | undefined
  /** Answers the requests in progress and closes everything. */
  stop(): Promise<Ending>
}

interface Ending {
  /** The number of unanswered requests. */
  readonly unanswered: number
  /** Why the store could not be closed, if so. */
  readonly failure: unknown
}

/** Options of an instance that shares its port with others. */
export interface Company {
  readonly processes: () => ProcessCounts
  readonly sharing: Sharing | undefined
}

/** Everything that serves requests in this process: the store, the listener and the background tasks. */
export async function startInstance(config: Config, log: Observe, company?: Company): Promise<Instance> {
  const metrics = config.metrics && newMetrics()
  const traces = await startTraces(config, fanOut([log, metrics?.observe]))
  const observe = fanOut([log, metrics?.observe, traces?.observe])
  const opened = await engineOf(config).open({
    // The supervisor has created it. If it is missing now, another one must not take its place.
    create: company === undefined,
    observe,
    caller: 'service',
    sharing: company?.sharing,
  })
  const store = traces === undefined ? opened : tracedStore(opened, traces.call)
  const ring = new KeyRing({
    environment: config.environment,
    keys: store.keys,
    configuredKey: config.apiKey,
  })
  const deprecatedCalls = new DeprecatedCallCount(store.deprecations, observe)
  const server = startServer({
    config,
    store,
    ring,
    observe,
    onDeprecatedCall: deprecatedCalls.count,
    inSpan: traces?.inSpan,
    processes: company?.processes,
  })
  const page = metrics && pageOf(config, metrics, { store, server })
  const stopRecording = recordKeyUses(ring, store.keys, observe)
  const stopResting = restWhileOutOfDescriptors(observe)
  return {
    server,
    store,
    observe,
    metricsPage: page?.render,
    stop: async () => {
      const unanswered = await server.drain()
      stopResting()
      await Promise.all([stopRecording(), deprecatedCalls.close(), traces?.close()])
      page?.close()
      const failure = await store.close().catch((cause: unknown) => cause)
      return { unanswered, failure }
    },
  }
}

/** Throws for the exit code, after everything has been reported. */
export function assertClosed({ failure }: Ending): void {
  if (failure !== undefined)
    throw new OperatorError('The storage does not answer, so the database was not closed. Nothing is lost.', {
      cause: failure,
    })
}
