import { seeded } from '../../../support/load.ts'

declare const self: Worker

/**
 * Loaded before the program and before each of its threads: ends threads of the real service. SIGUSR2 starts and stops it, because
 * a service whose threads end while it starts does not start. Without an interval, each SIGUSR2 ends one listener.
 */
const { ENDING_LISTENERS_MS, ENDING_WRITER_MS, ENDING_HOW = 'terminate', ENDING_SEED } = process.env
const LOOP = 'loop for ever'

type Name = 'listener' | 'writer'

/** How a listener ends. It does not expect `null`, so it fails with an error that nothing catches. The writer is terminated. */
const ENDINGS: Readonly<Record<string, (thread: Worker) => void>> = {
  terminate: thread => thread.terminate(),
  error: thread => thread.postMessage(null),
  loop: thread => thread.postMessage(LOOP),
}

if (Bun.isMainThread) endThreads()
else
  self.addEventListener('message', ({ data }: MessageEvent) => {
    while (data === LOOP);
  })

function endThreads(): void {
  const random = seeded(Number(ENDING_SEED ?? 1))
  const running: Record<Name, Set<Worker>> = { listener: new Set(), writer: new Set() }

  globalThis.Worker = class extends Worker {
    constructor(url: string) {
      super(url, { preload: import.meta.path })
      const isListener = url.endsWith('listener-thread.ts')
      const threads = running[isListener ? 'listener' : 'writer']
      // The first message of a listener says that its code is loaded. A writer sends none, and may end at any time.
      if (isListener) this.addEventListener('message', () => threads.add(this), { once: true })
      else threads.add(this)
      this.addEventListener('close', () => threads.delete(this))
    }
  } as typeof Worker

  const endOne = (name: Name): void => {
    const threads = [...running[name]]
    const thread = threads[random(Math.max(1, threads.length))]
    if (thread === undefined) return
    running[name].delete(thread)
    ENDINGS[name === 'writer' ? 'terminate' : ENDING_HOW]?.(thread)
  }

  let timers: Timer[] = []
  const every = (name: Name, ms: string | undefined): Timer[] =>
    ms === undefined ? [] : [setInterval(endOne, Number(ms), name)]
  process.on('SIGUSR2', () => {
    const isOn = timers.length > 0
    for (const timer of timers) clearInterval(timer)
    timers = isOn ? [] : [...every('listener', ENDING_LISTENERS_MS), ...every('writer', ENDING_WRITER_MS)]
    if (!isOn && timers.length === 0) endOne('listener')
  })
}
