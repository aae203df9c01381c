import { expect, test } from 'bun:test'
import { check, type Violation } from '../../support/linearizability/check.ts'
import { Clients, type Random } from '../../support/linearizability/clients.ts'
import { PostgresServer } from '../../support/postgres/server.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { startInstances } from '../../support/service/instances.ts'
import { eventually } from '../../support/service/process.ts'
import { childrenOf, isAlive } from '../../support/service/processes.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { figure, measured } from './support/form.ts'
import { seeded } from './support/seed.ts'

const HISTORIES = figure(1, 10)
const KILLS = figure(3, 10)
const BETWEEN_KILLS = figure(200, 1000)
const CLIENTS = 12

interface Recorded {
  readonly operations: number
  readonly animals: number
  readonly violations: readonly Violation[]
  readonly unexpected: readonly string[]
}

/** Kills something at random moments, again and again, while clients use all instances as if they were one. */
async function record(
  instances: ServiceProcess[],
  random: Random,
  disturb: ((kill: number) => Promise<void>) | undefined,
): Promise<Recorded> {
  const clients = new Clients(() => instances.map(({ url }) => url), random, CLIENTS)
  for (let kill = 0; kill < KILLS; kill++) {
    const before = clients.history.length
    const enough = BETWEEN_KILLS + random(BETWEEN_KILLS)
    await eventually(
      'requests are answered',
      () => clients.history.length > before + enough || undefined,
      60_000,
    )
    await disturb?.(kill)
  }
  await clients.stop()
  const ids = clients.history.flatMap(({ shown }) => shown ?? []).map(({ id }) => id)
  return {
    operations: clients.history.length,
    animals: new Set(ids).size,
    violations: check(clients.history),
    unexpected: clients.unexpected,
  }
}

/** Kills one instance with `kill -9` and starts another in its place. */
async function replace(instances: ServiceProcess[], random: Random): Promise<void> {
  const place = random(instances.length)
  const service = instances[place] as ServiceProcess
  await service.kill()
  instances[place] = await startProcess(service.options)
}

interface Attack {
  readonly name: string
  readonly start: () => Promise<ServiceProcess[]>
  readonly disturb: (instances: ServiceProcess[], random: Random, kill: number) => Promise<void>
}

/** Records HISTORIES histories and expects no violation. */
async function attack({ name, start, disturb }: Attack): Promise<void> {
  let operations = 0
  let animals = 0
  for (let part = 0; part < HISTORIES; part++) {
    const random = seeded('requests and kills', part)
    const instances = await start()
    const recorded = await record(instances, random, kill => disturb(instances, random, kill))
    expect(recorded.violations.slice(0, 10)).toEqual([])
    expect(recorded.unexpected.slice(0, 10)).toEqual([])
    for (const instance of instances) expect(await instance.stop()).toBe(0)
    operations += recorded.operations
    animals += recorded.animals
  }
  measured(
    `linearizability, ${name}`,
    `${HISTORIES} histories with ${KILLS} kills each, ${operations} operations on ${animals} animals: 0 violations`,
  )
}

test('two processes on one SQLite database, killed with -9 again and again, answer as one store that never forgets', () =>
  attack({
    name: 'two processes on SQLite',
    start: async () => startInstances(2, { databaseUrl: await freshSqliteUrl() }),
    disturb: replace,
  }))

test('three processes on one port and one SQLite database, killed with -9 again and again, answer as one store that never forgets', () =>
  attack({
    name: 'three processes on one port on SQLite',
    start: async () => [
      await startProcess({ databaseUrl: await freshSqliteUrl(), variables: { PETSTORE_PROCESSES: '3' } }),
    ],
    disturb: async ([service], random) => {
      const { pid } = (service as ServiceProcess).process
      const victim = await eventually('a process is there', () => {
        const alive = childrenOf(pid).filter(isAlive)
        return alive[random(alive.length)]
      })
      process.kill(victim, 'SIGKILL')
      // One that dies while all are being stopped would be a fault.
      await (service as ServiceProcess).output.entry(
        ({ event, pid: gone }) => event === 'process-ended' && gone === victim,
      )
    },
  }))

test('three instances on PostgreSQL, killed with -9 again and again like the server itself, answer as one store that never forgets', async () => {
  const server = await PostgresServer.create()
  await attack({
    name: 'three instances on PostgreSQL',
    start: async () => startInstances(3, { databaseUrl: await server.freshDatabaseUrl() }),
    disturb: async (instances, random, kill) => {
      if (kill % 3 !== 2) return replace(instances, random)
      await server.crash()
      await server.start()
    },
  })
  await server.remove()
})

test('the same check sees two services that do not share their database', async () => {
  const instances = await Promise.all(
    [1, 2].map(async () => startProcess({ databaseUrl: await freshSqliteUrl() })),
  )
  const { violations } = await record(instances, seeded('requests'), undefined)
  const rules = new Set(violations.map(({ rule }) => rule))
  for (const rule of ['identity', 'visibility', 'page'] as const) expect(rules).toContain(rule)
  for (const instance of instances) expect(await instance.stop()).toBe(0)
})
