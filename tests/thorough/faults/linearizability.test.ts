import { expect, test } from 'bun:test'
import { type Random, seeded } from '../../support/load.ts'
import { PostgresServer } from '../../support/postgres.ts'
import { eventually, freshSqliteUrl } from '../../support/process.ts'
import { type ServiceProcess, startInstances, startProcess } from '../../support/service.ts'
import { endingThreads, startThreads, untilEnded, untilListening } from '../threads/support/threads.ts'
import { Clients } from './support/clients.ts'
import { check, type Operation } from './support/history.ts'

const KILLS = 3
const BETWEEN_KILLS = 200
const CLIENTS = 12
/** In place of one kill of a service. */
const ENDED_THREADS = 8

type Disturb = (instances: ServiceProcess[], random: Random, kill: number) => Promise<void>

/** Kills something at random moments, again and again, while clients use all instances as if they were one. */
async function expectOneStore(instances: ServiceProcess[], disturb: Disturb): Promise<void> {
  const seed = Number(process.env.FC_SEED ?? 26)
  const random = seeded(seed)
  const clients = new Clients(() => instances.map(({ url }) => url), random, CLIENTS)
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = clients.history.length + BETWEEN_KILLS + random(BETWEEN_KILLS)
    await eventually('requests are answered', () => clients.history.length > enough || undefined)
    await disturb(instances, random, kill)
  }
  await clients.stop()
  const { history, unexpected } = clients
  expect({ seed, broken: check(history).slice(0, 10), unexpected: unexpected.slice(0, 10) }).toEqual({
    seed,
    broken: [],
    unexpected: [],
  })
  // The checker notices an animal that the last page lacks, at its end or at its beginning.
  const last = history.at(-1) as Operation
  for (const shown of [last.shown.slice(0, -1), last.shown.slice(1)])
    expect(check(history.with(-1, { ...last, shown }))).not.toEqual([])
  for (const instance of instances) expect(await instance.stop()).toBe(0)
}

/** Kills one instance with `kill -9` and starts another in its place. */
const replace: Disturb = async (instances, random) => {
  const place = random(instances.length)
  const service = instances[place] as ServiceProcess
  await service.kill()
  instances[place] = await startProcess(service.options)
}

test('two services on one SQLite database, killed with -9 again and again, answer as one store that never forgets', async () =>
  expectOneStore(await startInstances(2, { databaseUrl: await freshSqliteUrl() }), replace))

test('four threads on one port and one SQLite database, of which listeners and the writer end again and again, answer as one store that never forgets', async () => {
  const service = await startThreads(endingThreads({ listeners: 250, writer: 400, how: 'error' }))
  await expectOneStore([service], async () => {
    service.signal('SIGUSR2')
    await untilEnded(service, ENDED_THREADS)
    service.signal('SIGUSR2')
    await untilListening(service)
  })
})

test('three instances on PostgreSQL, killed with -9 again and again like the server itself, answer as one store that never forgets', async () => {
  await using server = await PostgresServer.create()
  const instances = await startInstances(3, { databaseUrl: await server.freshDatabaseUrl() })
  await expectOneStore(instances, async (instances, random, kill) => {
    if (kill % 3 !== 2) return replace(instances, random, kill)
    await server.crash()
    await server.start()
  })
})
