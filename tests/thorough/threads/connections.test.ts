import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { petJson } from '../../support/http.ts'
import { Load } from '../../support/load.ts'
import { freshPostgresUrl, query } from '../../support/postgres.ts'
import { eventually, freshFolder } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { API_KEY } from '../../support/service.ts'
import { makeCertificate } from '../security/support/certificate.ts'
import { ALONE, all, CONNECTIONS, listenersOf, startThreads, statusesOf, THREADS } from './support/threads.ts'

/** What the service may use of PostgreSQL's connections, all threads together, unless a setting says more. */
const MAX_CONNECTIONS = 12

needs('openssl').test('every thread speaks TLS', async () => {
  const folder = await freshFolder()
  const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  makeCertificate('localhost', cert, key)
  const service = await startThreads({ PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key })
  expect(listenersOf(service)).toBe(THREADS)
  const headers = { ...ALONE, Authorization: `Bearer ${API_KEY}` }
  const read = async (): Promise<number> => {
    const tls = { rejectUnauthorized: false }
    return (await fetch(`${service.url}/v1/pets`, { headers, tls })).status
  }
  expect(await Promise.all(Array.from({ length: CONNECTIONS }, read))).toEqual(all(200))
  expect(await service.stop()).toBe(0)
})

test('on PostgreSQL all threads together stay within the connections of the service, and show every animal to the next request', async () => {
  const databaseUrl = await freshPostgresUrl()
  const service = await startThreads({}, databaseUrl)
  expect(listenersOf(service)).toBe(THREADS)
  const connections = async (): Promise<number> => {
    const sql = `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'petstore'`
    return (await query<{ count: number }>(databaseUrl, sql))[0]?.count ?? 0
  }
  const load = new Load(() => service.url, CONNECTIONS)
  let most = 0
  await eventually('animals are added', async () => {
    most = Math.max(most, await connections())
    return load.acknowledged.size > 1000 || undefined
  })
  await load.stop()
  expect(load.unexpected).toEqual([])
  expect(most).toBeWithin(THREADS, MAX_CONNECTIONS + 1)
  const { pet } = await service.post(petJson({ name: 'the last' }), ALONE)
  expect(await statusesOf(service, `/v1/pets/${pet.id}`)).toEqual(all(200))
  expect(await service.stop()).toBe(0)
})
