import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createKey, petstore } from '../../support/service/cli.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { pathOf } from '../faults/support/stored.ts'

const TRIES = 5
const WAIT_FOR_LOCK_MS = 2000
const REVOCATION_HOLDS_WITHIN_MS = 5000

describe('keys of a running service', () => {
  let service: ServiceProcess
  const database = (): string => service.options.databaseUrl

  beforeAll(async () => {
    service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  })
  afterAll(() => service.stop())

  test('a key made by the CLI works at once', async () => {
    const key = await createKey(database(), 'new')
    expect((await service.fetch('/v1/pets', { key })).status).toBe(200)
  })

  test('keys are listed while another process writes, without a wait for its lock', async () => {
    const writing = new Database(pathOf(database()))
    writing.run(
      "BEGIN IMMEDIATE; UPDATE meta SET value = value WHERE name = 'environment'; COMMIT; BEGIN IMMEDIATE",
    )
    const took: number[] = []
    // A busy machine may be slow once, but a wait for the lock occurs each time.
    while (took.length < TRIES && Math.min(...took) >= WAIT_FOR_LOCK_MS) {
      const since = performance.now()
      expect(await petstore(['keys', 'list'], { DATABASE_URL: database() })).toMatchObject({ code: 0 })
      took.push(performance.now() - since)
    }
    writing.run('ROLLBACK')
    writing.close()
    expect(Math.min(...took)).toBeLessThan(WAIT_FOR_LOCK_MS)
  })

  test('a key in constant use is refused within 5 seconds of its revocation', async () => {
    const key = await createKey(database(), 'leaked')
    expect((await service.fetch('/v1/pets', { key })).status).toBe(200)
    await petstore(['keys', 'revoke', 'leaked', '--yes'], { DATABASE_URL: database() })
    const refused = await eventually(
      'the revoked key is refused',
      async () => {
        const answer = await service.fetch('/v1/pets', { key })
        return answer.status === 401 ? answer : undefined
      },
      REVOCATION_HOLDS_WITHIN_MS,
    )
    expect(refused.error.message).toContain('revoked')
  })

  test('a key of the store that is configured too is refused once it is revoked', async () => {
    const databaseUrl = await freshSqliteUrl()
    const key = await createKey(databaseUrl, 'both')
    const configured = await startProcess({ databaseUrl, variables: { PETSTORE_API_KEY: key } })
    expect((await configured.fetch('/v1/pets', { key })).status).toBe(200)
    await petstore(['keys', 'revoke', 'both', '--yes'], { DATABASE_URL: databaseUrl })
    await eventually(
      'the revoked key is refused',
      async () => ((await configured.fetch('/v1/pets', { key })).status === 401 ? true : undefined),
      REVOCATION_HOLDS_WITHIN_MS,
    )
    const again = await configured.restart()
    expect((await again.fetch('/v1/pets', { key })).status).toBe(401)
    await again.stop()
  })

  test('a use just before the end is written down', async () => {
    const key = await createKey(database(), 'last minute')
    await service.fetch('/v1/pets', { key })
    expect(await service.stop()).toBe(0)
    const { stdout } = await petstore(['keys', 'list'], { DATABASE_URL: database() })
    expect(stdout).toMatch(/last minute +\w{4}… +\d{4}-\d\d-\d\d/)
  })
})
