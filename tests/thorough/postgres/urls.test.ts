import { expect } from 'bun:test'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { petJson } from '../../support/http.ts'
import { PostgresServer, query } from '../../support/postgres.ts'
import { newPostgresFolder, ownByPostgres } from '../../support/postgres-programs.ts'
import { petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { startProcess } from '../../support/service.ts'
import { makeCertificate } from '../security/support/certificate.ts'

const { afterAll, beforeAll, test } = needs('openssl')

const USER = 'guarded'

let folder: string
let server: PostgresServer
/** From an authority that did not sign the server's certificate. */
let otherCert: string

beforeAll(async () => {
  folder = newPostgresFolder()
  const [cert, key] = ['server.crt', 'server.key'].map(name => join(folder, name)) as [string, string]
  otherCert = join(folder, 'other.crt')
  makeCertificate('pets', cert, key)
  makeCertificate('other', otherCert, join(folder, 'other.key'))
  chmodSync(key, 0o600)
  ownByPostgres(folder)
  server = await PostgresServer.create({
    unix_socket_directories: folder,
    ssl: 'on',
    ssl_cert_file: cert,
    ssl_key_file: key,
  })
  await server.query(`CREATE ROLE ${USER} LOGIN PASSWORD 'open-sesame'`)
  await server.stop()
  // The first line that matches counts, so others still need no password.
  const rules = join(server.data, 'pg_hba.conf')
  writeFileSync(rules, `host all ${USER} 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`)
  await server.start()
})
afterAll(() => server.remove())

test('a socket is used where the URL names its folder as host, as Cloud SQL does', async () => {
  const direct = await server.freshDatabaseUrl()
  const databaseUrl = `postgres://postgres:p@${new URL(direct).pathname}?host=${folder}&port=${server.port}`
  const service = await startProcess({ databaseUrl })
  expect(await service.post(petJson({}))).toHaveStatus(201)
  const sql =
    "SELECT count(client_addr)::integer AS addresses FROM pg_stat_activity WHERE application_name = 'petstore'"
  const [row] = await query<{ addresses: number }>(direct, sql)
  expect(row?.addresses).toBe(0)
  expect(await service.stop()).toBe(0)
})

const READY = { code: 0 }
const REFUSED = { code: 5, stderr: expect.stringMatching(/certificate/i) }

test.each([
  ['sslmode=require', READY],
  ['sslmode=require&sslrootcert=OTHER', REFUSED],
  ['sslmode=require&sslrootcert=OWN', READY],
  ['sslmode=verify-ca&sslrootcert=OWN', READY],
  ['sslmode=verify-full', REFUSED],
  ['sslmode=verify-full&sslrootcert=OWN', READY],
  ['sslmode=verify-full&sslrootcert=ABSENT', { code: 3, stderr: expect.stringContaining('absent.crt') }],
])('%s means what it means to libpq', async (parameters, outcome) => {
  const direct = await server.freshDatabaseUrl()
  const named = parameters
    .replace('OTHER', otherCert)
    .replace('OWN', join(folder, 'server.crt'))
    .replace('ABSENT', join(folder, 'absent.crt'))
  const ran = await petstore(['keys', 'create', '--create', '--name', 'x'], {
    DATABASE_URL: `${direct}?${named}`,
  })
  expect(ran).toMatchObject(outcome)
})

test('a wrong or missing password is refused in a sentence that does not hold it', async () => {
  for (const [user, sentence] of [
    [`${USER}:a-wrong-password`, /password authentication failed(?!.*a-wrong-password)/],
    [USER, /asks for a password, and DATABASE_URL has none/],
  ] as const) {
    const ran = await petstore(['keys', 'list'], { DATABASE_URL: server.url('postgres', user) })
    expect(ran).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
  }
})
