import { afterAll, beforeAll, describe } from 'bun:test'
import type { Subprocess } from 'bun'
import { loadConfig } from '../../src/config/load.ts'
import { Log } from '../../src/observability/log.ts'
import { startService as startServiceHere } from '../../src/service/service.ts'
import { assertDescribed } from './described.ts'
import { API_KEY, CompleteResponse, type PetBody, petJson } from './http.ts'
import { listenerHere } from './listener-here.ts'
import { freshPostgresUrl } from './postgres.ts'
import { atOnce, eventually, freshSqliteUrl, Output, type Start, start, type Variables } from './process.ts'

export { API_KEY } from './http.ts'

export interface ServiceOptions {
  readonly databaseUrl: string
  readonly variables?: Variables
  /** Listens in a thread of its own, as `serve` does. */
  readonly inThread?: boolean
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | ReadableStream
  /** The API key to send; null for none. */
  readonly key?: string | null
}

export abstract class Service {
  readonly options: ServiceOptions
  abstract readonly output: Output
  url = ''

  constructor(options: ServiceOptions) {
    this.options = options
  }

  /** Ends it as SIGTERM does; returns the exit code. */
  abstract stop(): Promise<number>

  /** Ends it without waiting until it has drained: for the end of a test that is not about stopping. */
  abstract discard(): void

  [Symbol.dispose](): void {
    this.discard()
  }

  /** Sends a request with the key and validates the answer against openapi.json. */
  async fetch(target: string, options: RequestOptions = {}): Promise<CompleteResponse> {
    const { key = API_KEY, headers, ...rest } = options
    const response = await fetch(this.url + target, {
      ...rest,
      headers: { ...(key !== null && { Authorization: `Bearer ${key}` }), ...headers },
      redirect: 'manual',
    })
    const answer = await CompleteResponse.from(response)
    if (answer.status < 500 && target.startsWith('/v1'))
      assertDescribed(options.method ?? 'GET', target, answer)
    return answer
  }

  post(body: string | Uint8Array, headers: Record<string, string> = {}, key: string | null = API_KEY) {
    const sent = { 'Content-Type': 'application/json', ...headers }
    return this.fetch('/v1/pets', { method: 'POST', body, headers: sent, key })
  }

  /** Adds an animal; fails if it is not stored. */
  async add(pet: Parameters<typeof petJson>[0] = {}): Promise<PetBody> {
    return (await this.post(petJson(pet))).pet
  }

  /** Adds `animal 0`, `animal 1` and so on. */
  async addAnimals(count: number): Promise<void> {
    for (let n = 0; n < count; n++) await this.add({ name: `animal ${n}` })
  }
}

/** The settings that every service of a test has, unless it names others. */
const settingsOf = ({ databaseUrl, variables }: ServiceOptions): Variables => ({
  PORT: '0',
  PETSTORE_SERVER_API_KEY: API_KEY,
  DATABASE_URL: databaseUrl,
  ...variables,
})

class ServiceHere extends Service {
  readonly output = new Output()
  #stop: () => Promise<void> = async () => {}

  async start(): Promise<this> {
    const config = loadConfig({}, settingsOf(this.options))
    const log = new Log(this.output.file, { level: config.logLevel, format: 'json' })
    const { url, stop } = await startServiceHere(config, log, {
      // A thread has to load and compile all code again, so only some files of each folder have one.
      startWorker: config.threads > 1 || this.options.inThread ? undefined : listenerHere,
    })
    this.url = url
    this.#stop = stop
    return this
  }

  stop(): Promise<number> {
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
export const startService = async (options: Partial<ServiceOptions> = {}): Promise<Service> =>
  new ServiceHere({ ...options, databaseUrl: options.databaseUrl ?? (await freshSqliteUrl()) }).start()

export interface ProcessOptions extends ServiceOptions, Start {
  readonly flags?: readonly string[]
}

/** `petstore serve` in its own process, to signal, kill and watch. */
export class ServiceProcess extends Service {
  declare readonly options: ProcessOptions
  readonly process: Subprocess
  readonly output: Output
  readonly errors: Output

  constructor(options: ProcessOptions) {
    super(options)
    const started = start(['serve', ...(options.flags ?? [])], settingsOf(options), options)
    this.process = started.child
    this.output = started.stdout
    this.errors = started.stderr
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal)
  }

  async stop(): Promise<number> {
    this.signal('SIGTERM')
    return this.exited()
  }

  /** Sends SIGKILL, like a crash: nothing is finished or flushed. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.exited()
  }

  discard(): void {
    this.signal('SIGKILL')
  }

  exited(): Promise<number> {
    return this.process.exited
  }

  async restart(): Promise<ServiceProcess> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.stop()
    return startProcess(this.options)
  }
}

export async function startProcess(options: Partial<ProcessOptions> = {}): Promise<ServiceProcess> {
  const databaseUrl = options.databaseUrl ?? (await freshSqliteUrl())
  const service = new ServiceProcess({ ...options, databaseUrl })
  const listening = await eventually('the service listens', () => {
    if (service.process.exitCode !== null)
      throw new Error(`The service ended: ${service.errors.text}${service.output.text}`)
    return service.output.log.find(line => line.event === 'listening')
  })
  service.url = String(listening.url)
  return service
}

export const startInstances = (count: number, options: ProcessOptions): Promise<ServiceProcess[]> =>
  atOnce(count, () => startProcess(options))

export interface Engine {
  readonly name: string
  freshDatabaseUrl(): Promise<string>
}

/** Every engine, or the one that PETSTORE_TEST_ENGINE names. */
export const engines: readonly Engine[] = [
  { name: 'sqlite', freshDatabaseUrl: freshSqliteUrl },
  { name: 'postgres', freshDatabaseUrl: freshPostgresUrl },
].filter(({ name }) => name === (process.env.PETSTORE_TEST_ENGINE || name))

/** Runs a suite on every engine, each with its own service on an empty database. */
export function onEveryEngine(topic: string, define: (service: () => Service, engine: Engine) => void): void {
  describe.each(engines.map(engine => [engine.name, engine] as const))(`${topic} on %s`, (_name, engine) => {
    define(sharedService({}, engine.freshDatabaseUrl), engine)
  })
}

/** Runs a suite on one engine, because it is about HTTP, which is the same code on all of them. */
export const onOneEngine = (topic: string, define: (service: () => Service) => void): void =>
  describe(topic, () => define(sharedService()))

/** A service on an empty database that the tests of a file or a group share, so none of them may stop it. */
export function sharedService(
  options: Omit<ServiceOptions, 'databaseUrl'> = {},
  freshDatabaseUrl = freshSqliteUrl,
): () => Service {
  let service: Service
  beforeAll(async () => {
    service = await startService({ ...options, databaseUrl: await freshDatabaseUrl() })
  })
  afterAll(() => service.discard())
  return () => service
}
