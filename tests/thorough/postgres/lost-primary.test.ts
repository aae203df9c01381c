import { afterAll, beforeAll, expect, test } from 'bun:test'
import { petJson } from '../../support/http/exact.ts'
import type { TcpProxy } from '../../support/http/tcp-proxy.ts'
import { PostgresServer } from '../../support/postgres/server.ts'
import { stoppedPrimary } from '../../support/postgres/stopped-primary.ts'
import { scrape, startMeasuredProcess } from '../../support/service/metrics.ts'
import { eventually } from '../../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'

let primary: PostgresServer
/** Where pages are read. */
let replica: PostgresServer
/** Takes over. It follows over a link that can hang. */
let successor: PostgresServer
let link: TcpProxy
let database: string
beforeAll(async () => {
  ;({ primary, database, link } = await stoppedPrimary())
  replica = await PostgresServer.standbyOf(primary, 'replica', primary.port)
  successor = await PostgresServer.standbyOf(primary, 'successor', link.port)
  await Promise.all([primary.start(), replica.start(), successor.start()])
})
afterAll(async () => {
  link.close()
  await Promise.all([primary.remove(), replica.remove(), successor.remove()])
})

async function countOn(server: PostgresServer): Promise<number> {
  const [row] = await server.query<{ count: number }>('SELECT count(*)::int AS count FROM pets', database)
  return row?.count ?? 0
}
/** A standby has no table before it has followed the first start. */
const untilItHas = (server: PostgresServer, count: number) =>
  eventually(`the standby has ${count} animals`, async () => {
    const found = await countOn(server).catch(() => undefined)
    return found === count || undefined
  })

const add = async (name: string, to: ServiceProcess) =>
  expect((await to.post(petJson({ name }))).status).toBe(201)

test('a standby of a primary that was lost is not read, though it has as many animals', async () => {
  const hosts = [primary, successor].map(({ port }) => `127.0.0.1:${port}`)
  const service = await startMeasuredProcess({
    databaseUrl: primary.url(database).replace(/127\.0\.0\.1:\d+/, hosts.join(',')),
    variables: { PETSTORE_REPLICA_URL: replica.url(database) },
  })
  let asked = 0
  /** Another URL each time, so that no page is kept. */
  const readPets = () => service.fetch(`/v1/pets?limit=100&n=${asked++}`)
  const pagesFrom = async (outcome: string): Promise<number> =>
    (await scrape(service.metricsUrl)).get(`petstore_replica_pages_total{outcome="${outcome}"}`) ?? 0
  // Another instance, since one that has seen an identifier never gives it again.
  const other = await startProcess({ databaseUrl: primary.url(database) })
  await add('common', other)
  await untilItHas(successor, 1)
  await eventually('it reads on the standby', async () => {
    expect((await readPets()).status).toBe(200)
    return (await pagesFrom('replica')) > 0 || undefined
  })
  link.hang()
  for (let n = 0; n < 5; n++) await add(`lost ${n}`, other)
  await untilItHas(replica, 6)
  expect(await other.stop()).toBe(0)
  await primary.crash()
  await successor.promote()
  await eventually('writes go to the successor', async () => {
    const { status } = await service.post(petJson({ name: 'kept 0' }), { 'Idempotency-Key': 'kept' })
    return status === 201 || undefined
  })
  await add('kept 1', service)
  expect(await countOn(replica)).toBe(6)
  expect(await countOn(successor)).toBe(3)
  const before = await pagesFrom('behind')
  await eventually('the standby was asked', async () => {
    const { status, pets } = await readPets()
    // A connection that broke may be found by a read.
    if (status === 503) return undefined
    expect(pets.map(({ name }) => name)).toEqual(['common', 'kept 0', 'kept 1'])
    return (await pagesFrom('behind')) > before || undefined
  })
  expect(await service.stop()).toBe(0)
})
