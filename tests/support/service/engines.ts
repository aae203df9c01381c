import { afterAll, beforeAll, describe } from 'bun:test'
import { freshPostgresUrl } from '../postgres/engine.ts'
import { freshSqliteUrl } from './folder.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'
import { type ProcessOptions, type ServiceProcess, startProcess } from './service-process.ts'

/** A database engine on which the contract must hold. */
export interface Engine {
  readonly name: string
  freshDatabaseUrl(): Promise<string>
}

const ALL: readonly Engine[] = [
  { name: 'sqlite', freshDatabaseUrl: freshSqliteUrl },
  { name: 'postgres', freshDatabaseUrl: freshPostgresUrl },
]

const wanted = process.env.PETSTORE_TEST_ENGINE

/** Every engine, or the one that PETSTORE_TEST_ENGINE names. */
export const engines: readonly Engine[] = ALL.filter(({ name }) => !wanted || name === wanted)

if (engines.length === 0)
  throw new Error(`PETSTORE_TEST_ENGINE must be one of ${ALL.map(({ name }) => name).join(', ')}`)

/** Runs a suite on every engine, each with its own service on an empty database. */
export const onEveryEngine = (
  topic: string,
  define: (service: () => Service, engine: Engine) => void,
  options: Omit<ServiceOptions, 'databaseUrl'> = {},
): void => suite(topic, define, databaseUrl => startService({ ...options, databaseUrl }))

/** The same with a service in its own process. */
export const onEveryEngineAsProcess = (
  topic: string,
  define: (service: () => ServiceProcess, engine: Engine) => void,
  options: Omit<ProcessOptions, 'databaseUrl'> = {},
): void => suite(topic, define, databaseUrl => startProcess({ ...options, databaseUrl }))

function suite<S extends Service>(
  topic: string,
  define: (service: () => S, engine: Engine) => void,
  start: (databaseUrl: string) => Promise<S>,
): void {
  describe.each(engines.map(engine => [engine.name, engine] as const))(`${topic} on %s`, (_name, engine) => {
    let service: S
    beforeAll(async () => {
      service = await start(await engine.freshDatabaseUrl())
    })
    afterAll(() => service.discard())
    define(() => service, engine)
  })
}
