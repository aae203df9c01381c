import { expect, test } from 'bun:test'
import { createKey, eventually, petstore } from '../../support/process.ts'
import { engines, startProcess } from '../../support/service.ts'
import { ALONE } from '../threads/support/threads.ts'

const HOLDS_WITHIN_MS = 5000

test.each(engines.map(engine => [engine.name, engine] as const))(
  'on %s a key in constant use works at once, and is refused on every instance and thread within 5 seconds of its revocation, where it is configured too',
  async (_name, engine) => {
    const databaseUrl = await engine.freshDatabaseUrl()
    const service = await startProcess({ databaseUrl, variables: { PETSTORE_THREADS: '2' } })
    const key = await createKey(databaseUrl, 'leaked')
    const configured = await startProcess({ databaseUrl, variables: { PETSTORE_SERVER_API_KEY: key } })
    const statuses = () =>
      Promise.all(
        [service, service, service, service, configured].map(
          async instance => (await instance.fetch('/v1/pets', { key, headers: ALONE })).status,
        ),
      )
    for (let n = 0; n < 10; n++) expect(new Set(await statuses())).toEqual(new Set([200]))
    const { code } = await petstore(['keys', 'revoke', 'leaked', '--yes'], { DATABASE_URL: databaseUrl })
    expect(code).toBe(0)
    const since = performance.now()
    const areRefused = async () => (await statuses()).every(status => status === 401) || undefined
    await eventually('it is refused everywhere', areRefused, HOLDS_WITHIN_MS)
    await Bun.sleep(Math.max(0, since + HOLDS_WITHIN_MS - performance.now()))
    for (let n = 0; n < 20; n++) expect(new Set(await statuses())).toEqual(new Set([401]))
    const again = await configured.restart()
    expect((await again.fetch('/v1/pets', { key })).error.message).toContain('revoked')
    for (const instance of [service, again]) instance.discard()
  },
)
