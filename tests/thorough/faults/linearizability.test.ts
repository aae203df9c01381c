import { expect, test } from 'bun:test'
import { BALANCED, balance, type Random, seeded } from '../../support/load.ts'
import { PostgresServer } from '../../support/postgres.ts'
import { eventually, freshSqliteUrl } from '../../support/process.ts'
import { type ServiceProcess, startInstances, startProcess } from '../../support/service.ts'
import type { Endings } from '../threads/support/ending-threads.ts'
import { endingThreads, eventsOf, startThreads, untilEnded, untilReady } from '../threads/support/threads.ts'
import { Clients } from './support/clients.ts'
import { check, type Operation } from './support/history.ts'
import { storedPets } from './support/stored.ts'

const KILLS = 3
const ADDED_BETWEEN_KILLS = 60
const CLIENTS = 12
/** In place of one kill of a service. */
const ENDED_THREADS = 8

type Disturb = (instances: ServiceProcess[], random: Random, kill: number) => Promise<void>

/** Kills something at random moments, again and again, while clients use all instances as if they were one. */
async function expectOneStore(instances: ServiceProcess[], disturb: Disturb): Promise<Clients> {
  const seed = Number(process.env.FC_SEED ?? 26)
  const random = seeded(seed)
  const clients = new Clients(() => instances.map(({ url }) => url), random, CLIENTS)
  const untilAdded = async (): Promise<void> => {
    const enough = clients.acknowledged.size + ADDED_BETWEEN_KILLS + random(ADDED_BETWEEN_KILLS)
    await eventually('animals are added', () => clients.acknowledged.size > enough || undefined)
  }
  for (let kill = 0; kill < KILLS; kill++) {
    await untilAdded()
    await disturb(instances, random, kill)
  }
  await untilAdded()
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
  return clients
}

/** Kills one instance with `kill -9` and starts another in its place. */
const replace: Disturb = async (instances, random) => {
  const place = random(instances.length)
  const service = instances[place] as ServiceProcess
  await service.kill()
  instances[place] = await startProcess(service.options)
}

test('two services on one SQLite database, killed with -9 again and again, answer as one store that never forgets', async () => {
  await expectOneStore(await startInstances(2, { databaseUrl: await freshSqliteUrl() }), replace)
})

test.each<[what: string, endings: Endings, threads: string, reason: string]>([
  ['listeners fail', { listeners: 100, how: 'error' }, '1234', 'null is not an object'],
  ['the writer is terminated', { writer: 300 }, 'w', 'it ended by itself'],
  ['both are terminated', { listeners: 100, writer: 400, how: 'terminate' }, '1234w', 'it ended by itself'],
])('four threads, of which %s again and again, are one store', async (_what, endings, threads, reason) => {
  const service = await startThreads(endingThreads(endings))
  const clients = await expectOneStore([service], async () => {
    service.signal('SIGUSR2')
    await untilEnded(service, ENDED_THREADS)
    service.signal('SIGUSR2')
    await untilReady(service)
  })
  // The end of the writer leaves no request without a response.
  const unanswered = endings.listeners ? expect.anything() : []
  expect(balance(clients, storedPets(service.options.databaseUrl))).toEqual({ ...BALANCED, unanswered })
  const ended = eventsOf(service, 'thread-ended')
  for (const line of ended) expect(String(line.reason)).toContain(reason)
  const names = ended.map(({ thread }) => String(thread).replace('listener ', '').replace('writer', 'w'))
  expect([...new Set(names)].toSorted().join('')).toBe(threads)
  expect(eventsOf(service, 'storage-stalled')).toEqual([])
  expect(service.errors.text).toBe('')
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
