import { expect, jest, mock, test } from 'bun:test'
import { loadConfig } from '../config/load.ts'
import type { Event } from '../observability/events.ts'
import type { FromListener, ToListener } from './listener.ts'
import { NOTICED_BY_ALL, onceForAll } from './once-for-all.ts'
import { ListenerThread, type ListenerWorker } from './threads.ts'

const FIGURES = { petstore_background_failures_total: 1, petstore_store_writes_waiting: 7 }

/** A thread that answers as the test says, and ends when the test calls what `ended` is given. */
function threadOf(
  answer: (kind: ToListener[0]) => FromListener | undefined,
  ended: (end: () => void) => void,
  terminate = (): void => {},
): ListenerThread {
  const startWorker = (): ListenerWorker => {
    const worker: ListenerWorker = {
      onmessage: null,
      onerror: null,
      postMessage: ([kind]: ToListener) => {
        const data = answer(kind)
        if (data) queueMicrotask(() => worker.onmessage?.call(worker as Worker, { data } as MessageEvent))
      },
      addEventListener: (_close: string, end: unknown) => ended(end as () => void),
      terminate,
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
  return new ListenerThread('listener 1', { startWorker, listener, newLink: undefined, ...told })
}

test('counters never go back, however often a thread is replaced, and gauges are those of the last one', async () => {
  let started = Promise.withResolvers<() => void>()
  const thread = threadOf(
    kind => (kind === 'start' ? ['listening', 1] : ['report', FIGURES]),
    end => started.resolve(end),
  )
  await thread.start(0)
  for (const failures of [1, 2, 3]) {
    const end = await started.promise
    expect(await thread.figures()).toEqual({ ...FIGURES, petstore_background_failures_total: failures })
    started = Promise.withResolvers()
    end()
  }
  expect(await thread.drain()).toBe(0)
})

test('a thread that does not respond for 10 seconds is ended, but not while it starts', async () => {
  jest.useFakeTimers()
  try {
    const terminate = mock()
    let listening: FromListener | undefined
    const thread = threadOf(
      () => listening,
      () => {},
      terminate,
    )
    const port = thread.start(0)
    jest.advanceTimersByTime(60_000)
    expect(terminate).not.toHaveBeenCalled()
    listening = ['listening', 1]
    void thread.figures()
    expect(await port).toBe(1)
    listening = undefined
    jest.advanceTimersByTime(9_000)
    expect(terminate).not.toHaveBeenCalled()
    jest.advanceTimersByTime(3_000)
    expect(terminate).toHaveBeenCalled()
  } finally {
    jest.useRealTimers()
  }
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
  for (const event of events) for (const thread of ['listener 1', 'listener 2']) observe(thread, event)
  expect(told).toEqual(events)
  expect(events.filter(({ kind }) => !NOTICED_BY_ALL.has(kind))).toEqual([])
})
