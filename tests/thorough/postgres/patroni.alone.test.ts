import { expect } from 'bun:test'
import { walk } from '../../support/http.ts'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { PatroniCluster } from '../../support/patroni.ts'
import { freshDatabaseUrl } from '../../support/postgres.ts'
import { eventually } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'

const { afterAll, test } = needs('etcd', 'haproxy', 'patroni', 'pg_createcluster')

const CALLERS = 4
const ANIMALS_BETWEEN = 100
/** What docs/postgresql.md says, with room for a busy machine. */
const SWITCHED_WITHIN_MS = 20_000
const REPLACED_WITHIN_MS = 80_000

let cluster: PatroniCluster | undefined
let service: ServiceProcess | undefined
afterAll(async () => {
  service?.discard()
  await cluster?.remove()
})

test('behind HAProxy and Patroni, a switchover and then a power cut of the leader lose no acknowledged animal, add none twice and leave the service ready', async () => {
  cluster = new PatroniCluster()
  const { url } = cluster
  const first = await cluster.leader()
  const makeDatabase = () => freshDatabaseUrl(url).catch(() => undefined)
  const started = await startProcess({ databaseUrl: await eventually('a database is made', makeDatabase) })
  service = started
  const load = new Load(() => started.url, CALLERS)
  const added = (withinMs?: number) => {
    const enough = load.acknowledged.size + ANIMALS_BETWEEN
    return eventually('animals are added', () => load.acknowledged.size > enough || undefined, withinMs)
  }
  await added()
  await first.switchOver()
  await added(SWITCHED_WITHIN_MS)
  const second = await cluster.leader()
  expect(second).not.toBe(first)
  await second.kill()
  await added(REPLACED_WITHIN_MS)
  await load.stop()
  const { pets } = await walk(service, '/v1/pets?limit=100')
  const listed = pets.map(({ id, name }) => ({ id: String(id), name }))
  expect(balance(load, listed)).toEqual(BALANCED)
  expect((await service.fetch('/readyz')).status).toBe(200)
  expect(await service.stop()).toBe(0)
  expect(service.errors.text).toBe('')
})
