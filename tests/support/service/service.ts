import type { Subprocess } from 'bun'
import { Answer } from '../http/answer.ts'
import { assertDescribed } from '../http/described.ts'
import { Output } from './log.ts'
import { commandLine, environmentWith, eventually, type Variables } from './process.ts'

export const API_KEY = 'contract-tests-key-0123456789'

export interface ServiceOptions {
  readonly databaseUrl: string
  readonly variables?: Variables
  readonly flags?: readonly string[]
  /** A command that starts the service in a special way, prepended to its command line. */
  readonly within?: readonly string[]
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | ReadableStream
  /** The API key to send; null for none. */
  readonly key?: string | null
}

/** The real process, on its own port. */
export class Service {
  readonly options: ServiceOptions
  readonly process: Subprocess
  readonly output = new Output()
  readonly errors = new Output()
  url = ''

  constructor(options: ServiceOptions) {
    this.options = options
    const command = [...(options.within ?? []), ...commandLine('serve', ...(options.flags ?? []))]
    this.process = Bun.spawn(command, {
      env: environmentWith({
        PORT: '0',
        PETSTORE_API_KEY: API_KEY,
        DATABASE_URL: options.databaseUrl,
        ...options.variables,
      }),
      stdio: ['ignore', this.output.file, this.errors.file],
    })
  }

  /** Sends a request with the key and validates the answer against openapi.json. */
  async fetch(target: string, options: RequestOptions = {}): Promise<Answer> {
    const { key = API_KEY, headers, ...rest } = options
    const response = await fetch(this.url + target, {
      ...rest,
      headers: { ...(key !== null && { Authorization: `Bearer ${key}` }), ...headers },
      redirect: 'manual',
    })
    const answer = await Answer.from(response)
    if (answer.status < 500 && target.startsWith('/v1'))
      assertDescribed(options.method ?? 'GET', target, answer)
    return answer
  }

  /** Adds an animal from a JSON text. */
  post(body: string | Uint8Array, headers: Record<string, string> = {}, key: string | null = API_KEY) {
    const sent = { 'Content-Type': 'application/json', ...headers }
    return this.fetch('/v1/pets', { method: 'POST', body, headers: sent, key })
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal)
  }

  /** Sends SIGTERM; returns the exit code. */
  async stop(): Promise<number> {
    this.signal('SIGTERM')
    return this.exited()
  }

  /** Sends SIGKILL, like a crash: nothing is finished or flushed. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.exited()
  }

  exited(): Promise<number> {
    return this.process.exited
  }

  /** Starts a new process on the same data. */
  async restart(): Promise<Service> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.stop()
    return startService(this.options)
  }
}

/** Starts the service and waits until it listens. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const service = new Service(options)
  const listening = await eventually('the service listens', () => {
    if (service.process.exitCode !== null)
      throw new Error(`The service ended: ${service.errors.text}${service.output.text}`)
    return service.output.log.find(line => line.event === 'listening')
  })
  service.url = String(listening.url)
  return service
}
