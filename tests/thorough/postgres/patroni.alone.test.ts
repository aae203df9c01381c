import { expect } from 'bun:test'
import { walk } from '../../support/http.ts'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { freshDatabaseUrl } from '../../support/postgres.ts'
import { eventually } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { PatroniCluster } from './patroni-cluster.ts'

const { afterEach, test } = needs('etcd', 'haproxy', 'patroni', 'pg_createcluster')

const CALLERS = 4
const ANIMALS_BETWEEN = 100
/** What docs/postgresql.md says, with room for a busy machine. */
const SWITCHED_WITHIN_MS = 20_000
const REPLACED_WITHIN_MS = 80_000

let cluster: PatroniCluster | undefined
const services: ServiceProcess[] = []
afterEach(async () => {
  for (const service of services.splice(0)) service.discard()
  await cluster?.remove()
})

/** A cluster, a service that adds animals to it, and the comparison with what a service started later finds. */
async function startLoaded() {
  const started = new PatroniCluster()
  cluster = started
  const leader = await started.leader()
  const makeDatabase = () => freshDatabaseUrl(started.url).catch(() => undefined)
  const databaseUrl = await eventually('a database is made', makeDatabase)
  const serve = async (): Promise<ServiceProcess> => {
    const service = await startProcess({ databaseUrl })
    services.push(service)
    return service
  }
  const service = await serve()
  const load = new Load(() => service.url, CALLERS)
  const added = (withinMs?: number) => {
    const enough = load.acknowledged.size + ANIMALS_BETWEEN
    return eventually('animals are added', () => load.acknowledged.size > enough || undefined, withinMs)
  }
  const compare = async () => {
    await load.stop()
    const later = await eventually('a service starts', () => serve().catch(() => undefined))
    const { pets } = await walk(later, '/v1/pets?limit=100')
    return balance(
      load,
      pets.map(({ id, name }) => ({ id: String(id), name })),
    )
  }
  await added()
  return { cluster: started, leader, service, load, added, compare }
}

test('behind HAProxy and Patroni, a switchover and then a power cut of the leader lose no acknowledged animal, add none twice and leave the service ready', async () => {
  const { cluster, leader: first, service, added, compare } = await startLoaded()
  await first.switchOver()
  await added(SWITCHED_WITHIN_MS)
  const second = await cluster.leader()
  expect(second).not.toBe(first)
  await second.kill()
  await added(REPLACED_WITHIN_MS)
  expect(await compare()).toEqual(BALANCED)
  expect((await service.fetch('/readyz')).status).toBe(200)
  expect(await service.stop()).toBe(0)
  expect(service.errors.text).toBe('')
})

test('a leader whose Patroni is stopped until another one leads, and then goes on, takes nothing back: no acknowledged animal is lost', async () => {
  const { cluster, leader: first, service, load, added, compare } = await startLoaded()
  await first.pausePatroni()
  const second = await cluster.successorOf(first, REPLACED_WITHIN_MS)
  await added(REPLACED_WITHIN_MS)
  first.resumePatroni()
  await eventually('it has a role again', async () => {
    const roles = await Promise.all([first.has('replica'), first.has('primary')])
    return roles.includes(true) || undefined
  })
  const { lost, ...others } = await compare()
  const acknowledged = load.acknowledged.size
  const leads = { first: await first.has('primary'), second: await second.has('primary') }
  // The numbers of animals are for the reader of a failure.
  expect({ leads, lost: lost.length, acknowledged }).toEqual({
    leads: { first: false, second: true },
    lost: 0,
    acknowledged,
  })
  expect({ lost, ...others }).toEqual(BALANCED)
  expect((await service.fetch('/readyz')).status).toBe(200)
})
