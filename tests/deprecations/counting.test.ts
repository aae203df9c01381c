import { expect, spyOn, test } from 'bun:test'
import { newKey } from '../../src/keys/api-key.ts'
import { petJson } from '../support/http.ts'
import { eventually } from '../support/process.ts'
import { onEveryEngine, type Service, startService } from '../support/service.ts'
import { addKey, engineAt } from '../support/store.ts'

async function keyNamed(databaseUrl: string, wanted: string) {
  const store = await engineAt(databaseUrl).open({ create: false })
  const keys = await store.keys.list()
  await store.close()
  return keys.find(({ name }) => name === wanted)
}

async function getPet(service: Service, key: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await service.fetch('/v1/pets/1', { key })
}

onEveryEngine('calls of a deprecated operation', instance => {
  test('are counted by key over restarts and instances; only authenticated calls of it count', async () => {
    const { databaseUrl } = instance().options
    const [shop, mobile] = [await addKey(databaseUrl, 'shop'), await addKey(databaseUrl, 'mobile')]
    const startedAt = Date.now()
    const first = await startService({ databaseUrl })
    const second = await startService({ databaseUrl })
    await first.post(petJson({}))
    await getPet(first, shop, 3)
    await getPet(second, shop, 2)
    await first.fetch('/v1/pets/1', { method: 'HEAD', key: shop })
    await first.fetch('/v1/pets', { key: mobile })
    await first.fetch('/v1/pets/1', { method: 'DELETE', key: mobile })
    await first.fetch('/v1/pets/1', { key: null })
    expect([await first.stop(), await second.stop()]).toEqual([0, 0])
    // The calls beyond the limit do not count.
    const third = await startService({ databaseUrl, variables: { PETSTORE_RATE_LIMIT: '1/1h' } })
    await getPet(third, shop, 3)
    await third.stop()

    const counted = await keyNamed(databaseUrl, 'shop')
    expect(counted?.deprecatedCalls).toBe(7)
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
    await getPet(service, key, 2)
    const everyMinute = timers.mock.calls.find(([, ms]) => ms === 60_000)?.[0] as () => Promise<void>
    const stored = await eventually('the calls are stored', async () => {
      await everyMinute()
      const found = await keyNamed(databaseUrl, 'till')
      return found?.deprecatedCalls === 2 ? found : undefined
    })
    expect(stored.lastUsedAt).toBeDefined()
    await service.stop()
  })

  test('are stored although the key was revoked since; requests with a refused key are no use of it', async () => {
    const { databaseUrl } = instance().options
    const store = await engineAt(databaseUrl).open({ create: true })
    const [used, expired] = [newKey('production', 'used'), newKey('production', 'expired', new Date())]
    for (const { record } of [used, expired]) await store.keys.add(record)
    const first = await startService({ databaseUrl })
    await getPet(first, used.key, 1)
    await store.keys.revoke(used.record.id, new Date())
    await store.close()
    await first.stop()
    const recorded = await keyNamed(databaseUrl, 'used')
    expect(recorded).toMatchObject({ deprecatedCalls: 1, lastUsedAt: expect.any(Date) })

    const second = await startService({ databaseUrl })
    for (const { key } of [used, expired]) await getPet(second, key, 1)
    await second.stop()
    expect(await keyNamed(databaseUrl, 'used')).toEqual(recorded)
    expect(await keyNamed(databaseUrl, 'expired')).toMatchObject({
      deprecatedCalls: 0,
      lastUsedAt: undefined,
    })
  })
})
