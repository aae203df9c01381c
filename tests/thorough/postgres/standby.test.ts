import { afterAll, beforeAll, expect, test } from 'bun:test'
import { petJson } from '../../support/http/exact.ts'
import { TcpProxy } from '../../support/http/tcp-proxy.ts'
import { PostgresServer } from '../../support/postgres/server.ts'
import { stoppedPrimary } from '../../support/postgres/stopped-primary.ts'
import { petstore } from '../../support/service/cli.ts'
import { eventually } from '../../support/service/process.ts'
import { startProcess } from '../../support/service/service-process.ts'

let primary: PostgresServer
let standby: PostgresServer
/** The connection between the servers. */
let link: TcpProxy
let database: string
beforeAll(async () => {
  ;({ primary, database, link } = await stoppedPrimary())
  standby = await PostgresServer.standbyOf(primary, 'second', link.port)
  await Promise.all([primary.start(), standby.start()])
})
afterAll(async () => {
  link.close()
  await Promise.all([primary.remove(), standby.remove()])
})

test('one address that leads to a standby after a switchover answers 503, never what the standby still has', async () => {
  const address = await TcpProxy.to(primary.port)
  const service = await startProcess({
    databaseUrl: `postgres://postgres@127.0.0.1:${address.port}/${database}`,
  })
  expect((await service.post(petJson({}))).status).toBe(201)
  await primary.untilFollowed()
  link.hang()
  expect((await service.post(petJson({}))).status).toBe(201)
  address.leadTo(standby.port)
  const asked = await Promise.all([2, 2, 1, 1].map(id => service.fetch(`/v1/pets/${id}`)))
  const listed = await service.fetch('/v1/pets?status=available')
  expect([...asked, listed].map(({ failure }) => failure)).toEqual(Array(5).fill('503 unavailable'))
  expect((await service.fetch('/readyz')).status).toBe(503)
  address.leadTo(primary.port)
  await eventually('ready', async () => (await service.fetch('/readyz')).status === 200 || undefined)
  expect((await service.fetch('/v1/pets/2')).status).toBe(200)
  link.resume()
  expect(await service.stop()).toBe(0)
  address.close()
})

test('a standby is named by start and by doctor, and read where the URL says that any server will do', async () => {
  await primary.untilFollowed()
  const DATABASE_URL = standby.url(database)
  const sentence = `127.0.0.1:${standby.port} is a standby, which takes no writes; DATABASE_URL must lead to the primary`
  const started = await petstore(['serve', '--port=0'], { DATABASE_URL })
  expect(started).toMatchObject({
    code: 5,
    stderr: `petstore: The PostgreSQL database cannot be used: ${sentence}.\n`,
  })
  const examined = await petstore(['doctor'], { DATABASE_URL })
  expect(examined.code).toBe(1)
  expect(examined.stdout).toContain(sentence)
  const any = { DATABASE_URL: `${DATABASE_URL}?target_session_attrs=any` }
  expect(await petstore(['keys', 'list'], any)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(sentence),
  })
  expect((await petstore(['pets', 'export', '-', '--format', 'json'], any)).stdout).toContain('"id":1')
})
