import type { Subprocess } from 'bun'
import type { ProcessCounts } from '../../api/context.ts'
import { ownCommandLine } from '../../command-name.ts'
import type { Sharing } from '../../store/engine.ts'
import type { FromInstance, ToInstance } from './messages.ts'

/** Marks a `serve` that a supervisor has started. */
export const INSTANCE_FLAG = '--instance'
const ANSWER_MS = 1000

/** A serving process as its supervisor sees it. */
export class Child {
  readonly startedAt = performance.now()
  /** Resolves when the process serves; rejects if it ends before. */
  readonly listening: Promise<void>
  /** Resolves with the reason when it has ended. */
  readonly ended: Promise<string>
  isListening = false
  /** The process was asked to leave. */
  isLeaving = false
  unanswered = 0
  /** The last metrics received from it. */
  lastPage = ''
  readonly #process: Subprocess
  #unheard = 0
  #asked: PromiseWithResolvers<string | undefined> | undefined

  constructor(port: number, sharing: Sharing | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.listening = promise.then(() => {
      this.isListening = true
    })
    this.listening.catch(() => {})
    this.#process = Bun.spawn(commandLine(port, sharing), {
      stdio: ['ignore', 'inherit', 'inherit'],
      serialization: 'json',
      ipc: (message: FromInstance) => {
        if (message.kind === 'listening') resolve()
        else if (message.kind === 'alive') this.#unheard = 0
        else this.#note(message)
      },
    })
    this.ended = this.#process.exited.then(code => {
      const reason = String(this.#process.signalCode ?? `exit code ${code}`)
      reject(new Error(`process ${this.pid} ended while it was starting (${reason})`))
      this.#asked?.resolve(undefined)
      return reason
    })
  }

  get pid(): number {
    return this.#process.pid
  }

  tell(counts: ProcessCounts): void {
    this.#say({ kind: 'counts', counts })
  }

  leave(): void {
    this.isLeaving = true
    // A signal also reaches a process that is still starting.
    this.#process.kill('SIGTERM')
  }

  /** Asks for a sign of life. Returns how many pings in a row were unanswered before. */
  ping(): number {
    this.#say({ kind: 'ping' })
    return this.#unheard++
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }

  /** Its current metrics; undefined if it does not answer in time. */
  page(): Promise<string | undefined> {
    this.#asked ??= Promise.withResolvers()
    this.#say({ kind: 'metrics' })
    return Promise.race([this.#asked.promise, Bun.sleep(ANSWER_MS).then(() => undefined)])
  }

  #note(message: Extract<FromInstance, { page: unknown }>): void {
    this.lastPage = message.page ?? ''
    this.#asked?.resolve(message.page)
    this.#asked = undefined
    if (message.kind === 'stopped') this.unanswered = message.unanswered
  }

  #say(message: ToInstance): void {
    try {
      this.#process.send(message)
    } catch {
      // A process that is ending cannot receive it and need not.
    }
  }
}

/** This program with the same settings. Of two equal flags, the last one counts. */
function commandLine(port: number, sharing: Sharing | undefined): string[] {
  return [
    ...ownCommandLine(process.execArgv),
    ...process.argv.slice(2),
    '--port',
    String(port),
    INSTANCE_FLAG,
    ...(sharing ? [sharing.socket, sharing.mark] : []),
  ]
}
