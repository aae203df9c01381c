import { beforeAll, expect, spyOn, test } from 'bun:test'
import { newKey } from '../../src/keys/api-key.ts'
import { eventually } from '../support/process.ts'
import { onEveryEngine, type Service, startService } from '../support/service.ts'
import { addKey, openStore } from '../support/store.ts'

async function keyNamed(databaseUrl: string, wanted: string) {
  await using store = await openStore(databaseUrl, { create: false })
  return (await store.keys.list()).find(({ name }) => name === wanted)
}

async function getPet(service: Service, key: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) expect(await service.fetch('/v1/pets/1', { key })).toHaveStatus(200)
}

onEveryEngine('calls of a deprecated operation', instance => {
  beforeAll(() => instance().addAnimals(1))

  test('are counted by key over instances, whatever their outcome; only authenticated calls of it count', async () => {
    const { databaseUrl } = instance().options
    const [shop, mobile] = [await addKey(databaseUrl, 'shop'), await addKey(databaseUrl, 'mobile')]
    const startedAt = Date.now()
    const first = await startService({ databaseUrl })
    const second = await startService({ databaseUrl, variables: { PETSTORE_RATE_LIMIT: '2/1h' } })
    await getPet(first, shop, 3)
    await getPet(second, shop, 2)
    // The calls beyond the limit do not count.
    for (let n = 0; n < 2; n++) expect(await second.fetch('/v1/pets/1', { key: shop })).toHaveStatus(429)
    await first.fetch('/v1/pets/1', { method: 'HEAD', key: shop })
    await first.fetch('/v1/pets/1', { headers: { 'If-None-Match': '*' }, key: shop })
    expect(await first.fetch('/v1/pets/999', { key: shop })).toHaveStatus(404)
    await first.fetch('/v1/pets', { key: mobile })
    await first.fetch('/v1/pets/1', { method: 'DELETE', key: mobile })
    await first.fetch('/v1/pets/1', { key: null })
    expect([await first.stop(), await second.stop()]).toEqual([0, 0])
    const counted = await keyNamed(databaseUrl, 'shop')
    expect(counted?.deprecatedCalls).toBe(8)
    expect(counted?.deprecatedCallAt?.getTime()).toBeWithin(startedAt, Date.now() + 1)
    const other = await keyNamed(databaseUrl, 'mobile')
    expect(other).toMatchObject({ deprecatedCalls: 0, deprecatedCallAt: undefined })
    expect(other?.lastUsedAt?.getTime()).toBeWithin(startedAt, Date.now() + 1)
  })

  test('are stored while the service runs, with the last use', async () => {
    const { databaseUrl } = instance().options
    const key = await addKey(databaseUrl, 'till')
    using timers = spyOn(globalThis, 'setInterval')
    const service = await startService({ databaseUrl })
    const startedAt = Date.now()
    await getPet(service, key, 2)
    const everyMinute = timers.mock.calls.find(([, ms]) => ms === 60_000)?.[0] as () => Promise<void>
    const stored = await eventually('the calls are stored', async () => {
      await everyMinute()
      const found = await keyNamed(databaseUrl, 'till')
      return found?.deprecatedCalls === 2 ? found : undefined
    })
    expect(stored.lastUsedAt?.getTime()).toBeWithin(startedAt, Date.now() + 1)
    await service.stop()
    // What is stored is not stored again.
    expect(await keyNamed(databaseUrl, 'till')).toEqual(stored)
  })

  test('are stored for the next start although the key was revoked since; requests with a refused key are no use of it', async () => {
    const { databaseUrl } = instance().options
    await using store = await openStore(databaseUrl)
    const [used, expired] = [newKey('production', 'used'), newKey('production', 'expired', new Date())]
    for (const { record } of [used, expired]) await store.keys.add(record)
    const first = await startService({ databaseUrl })
    await getPet(first, used.key, 1)
    await store.keys.revoke(used.record.id, new Date())
    await first.stop()
    const recorded = await keyNamed(databaseUrl, 'used')
    expect(recorded).toMatchObject({ deprecatedCalls: 1, lastUsedAt: expect.any(Date) })

    const second = await startService({ databaseUrl })
    for (const { key } of [used, expired]) expect(await second.fetch('/v1/pets/1', { key })).toHaveStatus(401)
    await second.stop()
    expect(await keyNamed(databaseUrl, 'used')).toEqual(recorded)
    const unused = { deprecatedCalls: 0, lastUsedAt: undefined }
    expect(await keyNamed(databaseUrl, 'expired')).toMatchObject(unused)
  })
})

test('a staging service that rehearses the sunset answers getPet with 410 after authentication, and all else as before', async () => {
  const variables = { PETSTORE_ENV: 'staging', PETSTORE_REHEARSE_SUNSET: 'on' }
  using service = await startService({ variables })
  await service.addAnimals(1)
  for (const target of ['/v1/pets/1', '/v1/pets/999', '/v1/pets/nonsense']) {
    const { failure, error } = await service.fetch(target)
    expect(failure).toBe('410 operation_removed')
    expect(error.message).toStartWith('This staging service rehearses the removal of this operation.')
  }
  expect(await service.fetch('/v1/pets/1', { method: 'HEAD' })).toHaveStatus(410)
  expect((await service.fetch('/v1/pets/1', { key: null })).failure).toBe('401 missing_api_key')
  expect((await service.fetch('/v1/pets/1', { method: 'DELETE' })).failure).toBe('405 method_not_allowed')
  expect((await service.fetch('/v1/pets?status=available')).pets).toHaveLength(1)
})
