import { expect, test } from 'bun:test'
import { type Random, seeded } from '../../support/load.ts'
import { PostgresServer } from '../../support/postgres.ts'
import { childrenOf, eventually, freshSqliteUrl, isAlive } from '../../support/process.ts'
import { type ServiceProcess, startInstances, startProcess } from '../../support/service.ts'
import { Clients } from './support/clients.ts'
import { check } from './support/history.ts'

const KILLS = 3
const BETWEEN_KILLS = 200
const CLIENTS = 12

type Disturb = (instances: ServiceProcess[], random: Random, kill: number) => Promise<void>

/** Kills something at random moments, again and again, while clients use all instances as if they were one. */
async function expectOneStore(instances: ServiceProcess[], disturb: Disturb): Promise<void> {
  const random = seeded(26)
  const clients = new Clients(() => instances.map(({ url }) => url), random, CLIENTS)
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = clients.history.length + BETWEEN_KILLS + random(BETWEEN_KILLS)
    await eventually('requests are answered', () => clients.history.length > enough || undefined)
    await disturb(instances, random, kill)
  }
  await clients.stop()
  expect(check(clients.history).slice(0, 10)).toEqual([])
  expect(clients.unexpected.slice(0, 10)).toEqual([])
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

test('three processes on one port and one SQLite database, killed with -9 again and again, answer as one store that never forgets', async () => {
  const variables = { PETSTORE_PROCESSES: '3' }
  const service = await startProcess({ databaseUrl: await freshSqliteUrl(), variables })
  await expectOneStore([service], async (_instances, random) => {
    const victim = await eventually('a process is there', () => {
      const alive = childrenOf(service.process.pid).filter(isAlive)
      return alive[random(alive.length)]
    })
    process.kill(victim, 'SIGKILL')
    // One that dies while all are being stopped would be a fault.
    await service.output.entry(({ event, pid }) => event === 'process-ended' && pid === victim)
  })
})

test('three instances on PostgreSQL, killed with -9 again and again like the server itself, answer as one store that never forgets', async () => {
  const server = await PostgresServer.create()
  const instances = await startInstances(3, { databaseUrl: await server.freshDatabaseUrl() })
  await expectOneStore(instances, async (instances, random, kill) => {
    if (kill % 3 !== 2) return replace(instances, random, kill)
    await server.crash()
    await server.start()
  })
  await server.remove()
})
