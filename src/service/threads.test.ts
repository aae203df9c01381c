import { expect, test } from 'bun:test'
import { loadConfig } from '../config/load.ts'
import { newCounts } from '../observability/counts.ts'
import { type Event, NOTICED_BY_ALL } from '../observability/events.ts'
import type { FromListener, ToListener } from './listener.ts'
import { ListenerThread, type ListenerWorker, onceForAll } from './threads.ts'

const REPORT = {
  counts: { ...newCounts(), backgroundFailures: 1 },
  waits: { writes: 0, stalled: 0, connections: undefined },
  keyExpiry: undefined,
}

test('counters never go back, however often a thread is replaced', async () => {
  let started = Promise.withResolvers<() => void>()
  /** Listens, reports one failure, and ends when the test says so. */
  const startWorker = (): ListenerWorker => {
    const worker: ListenerWorker = {
      onmessage: null,
      onerror: null,
      postMessage: ([kind]: ToListener) => {
        const data: FromListener = kind === 'start' ? ['listening', 1] : ['report', REPORT]
        queueMicrotask(() => worker.onmessage?.call(worker as Worker, { data } as MessageEvent))
      },
      addEventListener: (_close: string, end: unknown) => started.resolve(end as () => void),
      terminate: () => {},
    }
    return worker
  }
  const listener = {
    config: loadConfig({}, {}),
    tls: undefined,
    rateLimits: undefined,
    lines: { level: 'info', format: 'json' },
    recordUsesEveryMs: undefined,
  } as const
  const nothing = () => {}
  const told = { print: nothing, observe: nothing }
  const thread = new ListenerThread(0, { startWorker, listener, connectWriter: undefined, ...told })
  await thread.start(0)
  for (const failures of [1, 2, 3]) {
    const end = await started.promise
    expect((await thread.report()).counts.backgroundFailures).toBe(failures)
    started = Promise.withResolvers()
    end()
  }
  expect(await thread.drain()).toBe(0)
})

test('what every thread notices is told once for the service', () => {
  const told: Event[] = []
  const observe = onceForAll(event => void told.push(event))
  const expiring = { kind: 'key-expires-soon', keyId: 'k', expires: 'soon' } as const
  const refused = { kind: 'database-refused', host: 'h', reason: 'r' } as const
  const [stalled, recovered] = [
    { kind: 'storage-stalled' },
    { kind: 'storage-recovered', afterMs: 1 },
  ] as const
  const events = [expiring, refused, stalled, recovered]
  for (const event of events) for (const thread of [0, 1]) observe(thread, event)
  expect(told).toEqual(events)
  expect(events.filter(({ kind }) => !NOTICED_BY_ALL.has(kind))).toEqual([])
})
