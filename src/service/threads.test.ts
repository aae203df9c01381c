import { expect, spyOn, test } from 'bun:test'
import { loadConfig } from '../config/load.ts'
import type { Event } from '../observability/events.ts'
import type { FromListener, ToListener } from './listener.ts'
import { ListenerThread, type ListenerWorker } from './threads.ts'

const FAILURES = 'petstore_background_failures_total'
const STORED = 'petstore_store_batch_size_sum'
const FIGURES = { [FAILURES]: 1, [STORED]: 5, petstore_store_writes_waiting: 7 }
/** Nothing that is answered is judged by the clock. */
const TIMES = { restartMs: 5, askMs: 1, maxUnanswered: 10, reportMs: 60_000, drainMs: 60_000 }
const WHILE_MS = 50

/** One of the threads that are started one after another. */
interface Started {
  readonly sent: ToListener[]
  isTerminated: boolean
  say(message: FromListener): void
  throws(message: string): void
  end(): void
}

type Responses = { [Kind in ToListener[0]]?: FromListener | undefined }

/** A service's thread whose workers respond as `responses` says at that time. */
function threadOf(responses: Responses, times: typeof TIMES | 'as served' = TIMES) {
  const started: Started[] = []
  const events: Event[] = []
  const startWorker = (): ListenerWorker => {
    let close = (): void => {}
    const worker: ListenerWorker = {
      onmessage: null,
      onerror: null,
      postMessage: (message: ToListener) => {
        one.sent.push(message)
        const response = responses[message[0]]
        if (response) setImmediate(() => one.say(response))
      },
      addEventListener: (_close: string, listener: unknown) => {
        close = listener as () => void
      },
      terminate: () => {
        if (!one.isTerminated) queueMicrotask(() => one.end())
        one.isTerminated = true
      },
    }
    const one: Started = {
      sent: [],
      isTerminated: false,
      say: data => worker.onmessage?.call(worker as Worker, { data } as MessageEvent),
      throws: message => worker.onerror?.call(worker as Worker, { message } as ErrorEvent),
      end: () => close(),
    }
    started.push(one)
    return worker
  }
  const listener = {
    config: loadConfig({}, {}),
    pageFiles: { openApi: { plain: new Uint8Array(), gzip: new Uint8Array() }, assets: [] },
    tls: undefined,
    rateCounts: undefined,
    lines: { level: 'info', format: 'json' },
  } as const
  const observe = (event: Event): void => void events.push(event)
  let links = 0
  const newLink = () => [++links] as never
  const options = { startWorker, listener, newLink, print: () => {}, observe }
  return {
    thread: new ListenerThread('listener 1', options, times === 'as served' ? undefined : times),
    started,
    events,
  }
}

/** Waits until this many threads were started; returns the last one. */
async function theStarted(started: readonly Started[], count: number): Promise<Started> {
  while (started.length < count) await Bun.sleep(1)
  return started[count - 1] as Started
}

test('counters never go back or twice, however often a thread is replaced, and gauges are those of the last one', async () => {
  const responses: Responses = { start: ['listening', 1], drain: ['drained', 0] }
  const times = { ...TIMES, askMs: 60_000 }
  const { thread, started } = threadOf(responses, times)
  await thread.start(0)
  for (const count of [1, 2, 3]) {
    const one = await theStarted(started, count)
    times.reportMs = TIMES.reportMs
    responses.report = ['report', FIGURES]
    const counted = { [FAILURES]: count, [STORED]: 5 * count }
    expect(await thread.figures()).toEqual({ ...FIGURES, ...counted })
    responses.report = undefined
    times.reportMs = 1
    one.end()
    expect(await thread.figures()).toEqual(counted)
  }
  expect(await thread.drain()).toBe(0)
})

test('a thread that starts or responds goes on; one that stops responding is ended, and replaced on its port', async () => {
  const responses: Responses = {}
  const { thread, started, events } = threadOf(responses)
  const port = thread.start(0)
  const first = await theStarted(started, 1)
  await Bun.sleep(WHILE_MS)
  expect(first.isTerminated).toBe(false)
  responses.report = ['report', {}]
  first.say(['listening', 4321])
  expect(await port).toBe(4321)
  while (first.sent.length < 5 * TIMES.maxUnanswered) await Bun.sleep(1)
  expect(first.isTerminated).toBe(false)
  responses.report = undefined
  const second = await theStarted(started, 2)
  expect(first.isTerminated).toBe(true)
  expect(second.sent[0]).toMatchObject(['start', { port: 4321, link: [2] }])
  const ended = { kind: 'thread-ended', thread: 'listener 1' } as const
  expect(events).toEqual([{ ...ended, reason: 'it did not respond for 10 seconds' }])
  // One that cannot take its place is replaced in turn, and the log says why.
  second.say(['failed', 'no room', 'unavailable'])
  const third = await theStarted(started, 3)
  expect(events.slice(1)).toMatchObject([{ kind: 'background-task-failed', cause: { message: 'no room' } }])
  third.say(['listening', 4321])
  third.throws('out of order')
  const fourth = await theStarted(started, 4)
  expect(events.slice(2)).toEqual([{ ...ended, reason: 'out of order' }])
  responses.drain = ['drained', 2]
  fourth.say(['listening', 4321])
  expect(await thread.drain()).toBe(2)
})

test.each<[string, FromListener | undefined, number]>([
  ['says how many requests were left', ['drained', 3], 3],
  ['does not respond', undefined, 1],
])('a stop of a thread that %s counts them once, ends it and starts no other', async (_what, drain, left) => {
  const drainMs = drain ? TIMES.drainMs : 1
  const { thread, started, events } = threadOf({ start: ['listening', 1], drain }, { ...TIMES, drainMs })
  await thread.start(0)
  expect(await thread.drain()).toBe(left)
  await Bun.sleep(WHILE_MS)
  expect(started.map(({ isTerminated }) => isTerminated)).toEqual([true])
  expect(events).toEqual([])
})

test('a thread that ends by itself during a stop has left a request, and one that had ended before has not', async () => {
  const { thread, started, events } = threadOf({ start: ['listening', 1] })
  await thread.start(0)
  const stopping = thread.drain()
  started[0]?.end()
  expect([await stopping, events]).toEqual([1, []])
  const ended = threadOf({ start: ['listening', 1] }, { ...TIMES, restartMs: WHILE_MS })
  await ended.thread.start(0)
  ended.started[0]?.end()
  expect(await ended.thread.drain()).toBe(0)
  await Bun.sleep(2 * WHILE_MS)
  expect([started.length, ended.started.length]).toEqual([1, 1])
})

test('a thread is asked every second, and ended at the eleventh question without a response', async () => {
  using timers = spyOn(globalThis, 'setInterval')
  const { thread, started } = threadOf({ start: ['listening', 1], drain: ['drained', 0] }, 'as served')
  await thread.start(0)
  const [ask, everyMs] = timers.mock.calls[0] as [() => void, number]
  for (let questions = 0; questions < 10; questions++) ask()
  expect([everyMs, started[0]?.isTerminated]).toEqual([1000, false])
  ask()
  expect(started[0]?.isTerminated).toBe(true)
  await thread.drain()
})

test('a thread is ready if it says so in time', async () => {
  const responses: Responses = { start: ['listening', 1], ready: ['ready', true] }
  const times = { ...TIMES }
  const { thread } = threadOf(responses, times)
  await thread.start(0)
  expect(await thread.isReady()).toBe(true)
  responses.ready = ['ready', false]
  expect(await thread.isReady()).toBe(false)
  responses.ready = undefined
  times.reportMs = 1
  expect(await thread.isReady()).toBe(false)
})

test('a thread that cannot start says why, and none takes its place', async () => {
  const { thread, started, events } = threadOf({ start: ['failed', 'in use', 'unavailable'] })
  await expect(thread.start(0)).rejects.toMatchObject({ message: 'in use', exit: 'unavailable' })
  await Bun.sleep(WHILE_MS)
  expect([started.length, events]).toEqual([1, []])
  await thread.drain()
  const ended = threadOf({})
  const starting = ended.thread.start(0)
  ended.started[0]?.throws('out of memory')
  await expect(starting).rejects.toThrow('A thread could not start: out of memory.')
  await ended.thread.drain()
})
