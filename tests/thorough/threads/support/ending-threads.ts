import { seeded } from '../../../support/load.ts'

declare const self: Worker

/**
 * Loaded before the program and before each of its threads: ends threads of the real service. SIGUSR2 starts and stops it, because
 * a service whose threads end while it starts does not start. Without an interval, each SIGUSR2 ends one listener.
 */
const { listeners, writer, how = 'terminate' } = JSON.parse(process.env.ENDINGS ?? '{}') as Endings
const LOOP = 'loop for ever'

type Name = 'listener' | 'writer'

/** How often listeners and the writer end, in milliseconds, and how listeners do. */
export interface Endings {
  readonly listeners?: number
  readonly writer?: number
  readonly how?: 'terminate' | 'error' | 'loop'
}

/** How a listener ends. It does not expect `null`, so it fails with an error that nothing catches. The writer is terminated. */
const ENDINGS = {
  terminate: (thread: Worker) => thread.terminate(),
  error: (thread: Worker) => thread.postMessage(null),
  loop: (thread: Worker) => thread.postMessage(LOOP),
}

if (Bun.isMainThread) endThreads()
else
  self.addEventListener('message', ({ data }: MessageEvent) => {
    while (data === LOOP);
  })

function endThreads(): void {
  const random = seeded(Number(process.env.FC_SEED ?? 26))
  const running: Record<Name, Set<Worker>> = { listener: new Set(), writer: new Set() }

  globalThis.Worker = class extends Worker {
    constructor(url: string) {
      super(url, { preload: import.meta.path })
      const isListener = url.endsWith('listener-worker.ts')
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
    ENDINGS[name === 'writer' ? 'terminate' : how](thread)
  }

  let timers: Timer[] = []
  const every = (name: Name, ms: number | undefined): Timer[] =>
    ms === undefined ? [] : [setInterval(endOne, ms, name)]
  process.on('SIGUSR2', () => {
    const isOn = timers.length > 0
    for (const timer of timers) clearInterval(timer)
    timers = isOn ? [] : [...every('listener', listeners), ...every('writer', writer)]
    if (!isOn && timers.length === 0) endOne('listener')
  })
}
