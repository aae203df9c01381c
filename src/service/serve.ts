import type { Subprocess } from 'bun'
import { findPort, urlOf } from '../api/listen.ts'
import { type Config, PROCESS_INDEX_VARIABLE } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import { EventQueue, type Observe } from '../observability/events.ts'
import type { Log } from '../observability/log.ts'
import { messageOf, OperatorError } from '../operator-error.ts'
import { ownCommandLine } from '../this-program.ts'
import { openStore } from './check-start.ts'
import { startInstance } from './instance.ts'
import { endInTime, stopSignal } from './signals.ts'
import { announce, firstKey, welcome } from './welcome.ts'

/** Before another process takes the place of one that ended. */
const RESTART_MS = 1000
/** Of a process that was asked to stop; one that has only begun to start ends by the signal itself. */
const CLEAN_ENDS = ['exit code 0', 'SIGTERM', 'SIGINT', 'SIGHUP']
/** Each process ends by itself within 10 seconds. */
const KILL_AFTER_MS = 9600

/** What `serve` does until a signal arrives. With `isWelcome` a person reads the output: the first key is made and shown. */
export async function serve(config: Config, log: Log, isWelcome: boolean): Promise<void> {
  if (config.processIndex !== undefined) return serveChild(config, log, config.processIndex)
  if (config.processes > 1) return supervise(config, log, isWelcome)
  const { url, store, observe, stop } = await startInstance(config, log)
  // Before the first request is handled, so that all are answered. Until then a signal ends the process at once.
  const stopping = stopSignal()
  const key = await firstKey(store, config, isWelcome, observe)
  if (isWelcome) log.print(welcome(url, config, key))
  announce(url, config, observe)
  await endInTime(stop(await stopping), log)
}

/**
 * Starts several processes that serve on one port and replaces each that ends. It does what must happen once: checks, the
 * first key, the welcome. It answers no requests and holds no database connection.
 */
async function supervise(config: Config, log: Log, isWelcome: boolean): Promise<void> {
  const { observe, flush } = new EventQueue([log])
  const children = new Children(observe)
  const store = await openStore(config)
  const key = await firstKey(store, config, isWelcome, observe)
  await store.close()

  const stopping = stopSignal(signal => children.stop(signal))
  // However this process ends: a second Ctrl-C does not wait for the others.
  process.on('exit', () => children.kill())
  const { host, processes, tls } = config
  const port = findPort({ host, port: config.port, variable: SETTINGS.port.variable })
  const listening = Array.from({ length: processes }, () => Promise.withResolvers<void>())
  const ended = listening.map((first, index) => children.keep(index, port, first))
  const started = Promise.all(listening.map(({ promise }) => promise)).then(() => 'started' as const)
  try {
    if ((await Promise.race([started, stopping])) === 'started') {
      const url = urlOf(tls ? 'https' : 'http', host, port)
      if (isWelcome) log.print(welcome(url, config, key))
      announce(url, config, observe)
    }
    await stopping
  } finally {
    children.stop('SIGTERM')
    const timer = setTimeout(() => children.kill(), KILL_AFTER_MS)
    await Promise.all(ended)
    clearTimeout(timer)
    flush()
    await log.close()
  }
  if (children.failures.length > 0)
    throw new OperatorError(`Not all processes ended by themselves (${children.failures}). Nothing is lost.`)
}

/** Serves on the shared port until a signal arrives or the process that started this one is gone. */
async function serveChild(config: Config, log: Log, index: number): Promise<void> {
  const orphaned = Promise.withResolvers<string>()
  process.on('disconnect', () => orphaned.resolve('the supervisor is gone'))
  const { stop } = await startInstance(
    { ...config, metricsPort: config.metricsPort && config.metricsPort + index },
    log,
    { isShared: true },
  )
  const stopping = Promise.race([stopSignal(), orphaned.promise])
  if (process.connected) process.send?.('listening')
  else orphaned.resolve('the supervisor is gone')
  await endInTime(stop(await stopping), log)
}

class Children {
  readonly #observe: Observe
  readonly #running = new Set<Subprocess>()
  readonly #stopped = Promise.withResolvers<void>()
  #isStopping = false
  /** How processes ended that were asked to stop and did not end by themselves. */
  readonly failures: string[] = []

  constructor(observe: Observe) {
    this.#observe = observe
  }

  /** Passes a signal on; from now on none is replaced. */
  stop(signal: NodeJS.Signals): void {
    this.#isStopping = true
    this.#stopped.resolve()
    for (const child of this.#running) child.kill(signal)
  }

  kill(): void {
    for (const child of this.#running) child.kill('SIGKILL')
  }

  /** Keeps a process running in this place. `first` is rejected if the first one ends before it listens. */
  async keep(index: number, port: number, first: PromiseWithResolvers<void>): Promise<void> {
    let hasListened = false
    const onListening = (): void => {
      hasListened = true
      first.resolve()
    }
    while (!this.#isStopping) {
      const { pid, reason } = await this.#run(index, port, onListening)
      if (this.#isStopping) {
        if (!CLEAN_ENDS.includes(reason)) this.failures.push(reason)
        return
      }
      if (!hasListened)
        return first.reject(
          new OperatorError(`A process could not start (${reason}). See the message above.`),
        )
      this.#observe({ kind: 'process-ended', pid, reason })
      await Promise.race([Bun.sleep(RESTART_MS), this.#stopped.promise])
    }
  }

  /** Runs a process until it ends. The system may refuse to start one for a moment: out of memory, or during an upgrade. */
  async #run(index: number, port: number, onListening: () => void): Promise<{ pid: number; reason: string }> {
    try {
      const child = spawn(index, port, onListening)
      this.#running.add(child)
      const code = await child.exited
      this.#running.delete(child)
      return { pid: child.pid, reason: String(child.signalCode ?? `exit code ${code}`) }
    } catch (error) {
      return { pid: 0, reason: messageOf(error) }
    }
  }
}

/** This program with the same settings; of two equal flags the last one counts. Its channel ends with this process. */
const spawn = (index: number, port: number, onListening: () => void): Subprocess =>
  Bun.spawn([...ownCommandLine(process.execArgv), ...process.argv.slice(2), '--port', String(port)], {
    env: { ...process.env, [PROCESS_INDEX_VARIABLE]: String(index) },
    stdio: ['ignore', 'inherit', 'inherit'],
    serialization: 'json',
    ipc: onListening,
  })
