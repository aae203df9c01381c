import { loadConfig } from '../../../src/config/load.ts'
import { Log } from '../../../src/observability/log.ts'
import { startInstance } from '../../../src/service/instance.ts'
import { Answer } from '../http/answer.ts'
import { assertDescribed } from '../http/described.ts'
import { Output } from './log.ts'
import type { Variables } from './process.ts'

export const API_KEY = 'contract-tests-key-0123456789'

export interface ServiceOptions {
  readonly databaseUrl: string
  readonly variables?: Variables
  /** How often the uses of keys are stored, where it matters. */
  readonly recordUsesEveryMs?: number
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | ReadableStream
  /** The API key to send; null for none. */
  readonly key?: string | null
}

/** A running service, in this process or in its own. */
export abstract class Service {
  readonly options: ServiceOptions
  /** Its log. */
  readonly output = new Output()
  url = ''

  constructor(options: ServiceOptions) {
    this.options = options
  }

  /** Ends it as SIGTERM does; returns the exit code. */
  abstract stop(): Promise<number>

  /** Ends it without waiting until it has drained: for the end of a test that is not about stopping. */
  abstract discard(): void

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
}

/** The settings that every service of a test has, unless it names others. */
export const settingsOf = ({ databaseUrl, variables }: ServiceOptions): Variables => ({
  PORT: '0',
  PETSTORE_API_KEY: API_KEY,
  DATABASE_URL: databaseUrl,
  ...variables,
})

class ServiceHere extends Service {
  #stop: () => Promise<void> = async () => {}

  async start(): Promise<this> {
    const config = loadConfig({}, settingsOf(this.options))
    const { level, format } = config.log
    const output = { level, format, isTerminal: false, hasColour: false, isShared: false }
    const instance = await startInstance(config, new Log(this.output.file, output), this.options)
    this.url = instance.url
    this.#stop = instance.stop
    return this
  }

  async stop(): Promise<number> {
    return this.#stop().then(
      () => 0,
      () => 1,
    )
  }

  discard(): void {
    void this.stop()
  }
}

/** Starts what `serve` starts, in this process and on a free port. Tests of signals, kills and output use startProcess. */
export const startService = (options: ServiceOptions): Promise<Service> => new ServiceHere(options).start()
