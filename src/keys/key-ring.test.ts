import { afterAll, afterEach, expect, mock, setSystemTime, spyOn, test } from 'bun:test'
import * as crypto from 'node:crypto'
import { freshSqliteUrl } from '../../tests/support/process.ts'
import { openStore } from '../../tests/support/store.ts'
import type { Environment } from '../contract/servers.ts'
import type { Event } from '../observability/events.ts'
import type { KeyStore } from '../store/store.ts'
import { generateApiKey, newKey } from './api-key.ts'
import { KeyRing } from './key-ring.ts'
import { KeyUses } from './key-uses.ts'

const DAY = 86_400_000
const REFRESHES_AFTER = 1600
/** As many as a ring keeps, and more. */
const [MAX, MANY] = [10_000, 10_100]

const store = await openStore(await freshSqliteUrl())
afterAll(() => store.close())
afterEach(() => void setSystemTime())

const newRing = (more: Partial<KeyStore> = {}, configuredKey?: string): KeyRing =>
  new KeyRing({ environment: 'production', keys: { ...store.keys, ...more }, configuredKey })

async function addKey(expiresAt?: Date): Promise<{ key: string; id: string }> {
  const { key, record } = newKey('production', 'one', expiresAt)
  await store.keys.add(record)
  return { key, id: record.id }
}

/** Not by toMatchObject, to which all dates are the same. */
async function useOf(wanted: string) {
  const key = (await store.keys.list()).find(({ id }) => id === wanted)
  return [key?.deprecatedCalls, key?.lastUsedAt?.getTime()]
}

/** Asks for a cached key when it is time to look it up again, which happens in the background. */
async function refresh(ring: KeyRing, key: string): Promise<void> {
  ring.cachedKeyId(key, performance.now() + REFRESHES_AFTER)
  await new Promise(resolve => setImmediate(resolve))
}

test('a key that the store does not have is unknown, before and after another with its hash was accepted', async () => {
  using _same = spyOn(Bun.hash, 'xxHash32').mockReturnValue(7)
  const ring = newRing()
  const { key, id } = await addKey()
  const other = generateApiKey('production')
  await expect(ring.verify(other)).rejects.toThrow('unknown')
  const now = performance.now()
  expect(await ring.verify(key)).toBe(id)
  expect([key, other].map(each => ring.cachedKeyId(each, now))).toEqual([id, undefined])
  await expect(ring.verify(other)).rejects.toThrow('unknown')
})

test('a configured key is accepted until the store says that it was revoked', async () => {
  const { key, id } = await addKey()
  const ring = newRing({}, key)
  using comparing = spyOn(crypto, 'timingSafeEqual')
  expect(await ring.verify(key)).toBe(id)
  // The time of a plain comparison would tell how much of a wrong key is right.
  expect(comparing).toHaveBeenCalledTimes(1)
  await store.keys.revoke(id, new Date())
  await expect(ring.verify(key)).rejects.toThrow('revoked')
})

test('the id of a configured key survives a restart, is unique, and reveals neither the key nor its hash', async () => {
  const keys = ['a configured key', 'a configured key', 'another configured key']
  const ids = await Promise.all(keys.map(key => newRing({}, key).verify(key)))
  expect(ids).toEqual(['configured_9eadaf57', 'configured_9eadaf57', 'configured_77a3a746'])
})

test.each<[Environment, string | undefined]>([
  ['production', undefined],
  ['staging', 'other_environment'],
])('a production service given a configured key of %s: failure %p', async (environment, failure) => {
  const key = generateApiKey(environment)
  const verified = newRing({}, key).verify(key)
  expect(await verified.then(() => undefined).catch((error: Error) => error.message)).toBe(failure)
})

test('a key is refused as soon as it expires', async () => {
  const expiresAt = new Date(Date.now() + DAY)
  const { key, id } = await addKey(expiresAt)
  const ring = newRing()
  await ring.verify(key)
  const now = performance.now()
  expect(ring.cachedKeyId(key, now)).toBe(id)
  setSystemTime(expiresAt)
  expect(() => ring.cachedKeyId(key, now)).toThrow('expired')
  await expect(newRing().verify(key)).rejects.toThrow('expired')
})

test('a cached key stays accepted while the store does not respond for a moment', async () => {
  let isDown = false
  const find = mock(async (hash: string) =>
    isDown ? Promise.reject(new Error('down')) : store.keys.find(hash),
  )
  const ring = newRing({ find })
  const { key, id } = await addKey()
  await ring.verify(key)
  const now = performance.now()
  isDown = true
  for (let n = 0; n < 2; n++) await refresh(ring, key)
  // It is looked for again after each failure, but not twice at a time.
  for (let n = 0; n < 2; n++) expect(ring.cachedKeyId(key, now + 3500)).toBe(id)
  expect(find).toHaveBeenCalledTimes(1 + 2 + 1)
})

test('a key is as old as its lookup, however long that took', async () => {
  const { key, id } = await addKey()
  const start = performance.now()
  using clock = spyOn(performance, 'now').mockReturnValue(start)
  const slow = (hash: string) => {
    clock.mockReturnValue(start + 3000)
    return store.keys.find(hash)
  }
  const ring = newRing({ find: slow })
  expect(await ring.verify(key)).toBe(id)
  expect(ring.cachedKeyId(key, start + 4500)).toBeUndefined()
})

test('what the store could not record is recorded the next time, with what came since', async () => {
  const uses = new KeyUses()
  const [used, called] = [await addKey(), await addKey()]
  const request = { kind: 'request', method: 'GET', route: '/', status: 200, durationMs: 1 } as const
  const add = (keyId: string, operation: string, at: number) =>
    uses.add({ ...request, requestId: '', keyId, operation, authFailure: undefined }, at)
  add(used.id, 'listPets', 1000)
  add(called.id, 'getPet', 1000)
  const failing = uses.record({ recordUses: () => Promise.reject(new Error('down')) })
  add(called.id, 'getPet', 2000)
  await expect(failing).rejects.toThrow('down')
  await uses.record(store.keys)
  expect(await useOf(called.id)).toEqual([2, 2000])
  expect(await useOf(used.id)).toEqual([0, 1000])
})

test('a stop waits for the recording in progress, and records what that could not', async () => {
  const uses = new KeyUses()
  const { id } = await addKey()
  uses.add({ kind: 'request', keyId: id, operation: 'listPets', status: 200 } as Event, 1000)
  const failing = Promise.withResolvers<void>()
  const recordUses = mock(store.keys.recordUses).mockReturnValueOnce(failing.promise)
  const record = uses.startRecording({ recordUses }, () => {})
  const recording = [record(), record()]
  await new Promise(resolve => setImmediate(resolve))
  failing.reject(new Error('down'))
  await Promise.all(recording)
  expect(await useOf(id)).toEqual([0, 1000])
})

test('a key in use that expires soon is reported once', async () => {
  const events: Event[] = []
  const observe = (event: Event): void => void events.push(event)
  const ring = new KeyRing({ environment: 'production', keys: store.keys, configuredKey: undefined, observe })
  const expiresAt = new Date(Date.now() + DAY)
  const { key, id } = await addKey(expiresAt)
  await ring.verify((await addKey(new Date(Date.now() + 15 * DAY))).key)
  expect(events).toEqual([])
  for (let n = 0; n < 2; n++) await ring.verify(key)
  expect(events).toEqual([{ kind: 'key-expires-soon', keyId: id, expires: expiresAt.toISOString() }])
})

test('the next expiry is the first one of a valid key: expired and revoked ones do not hide it', async () => {
  const ring = newRing()
  const now = Date.now()
  const inDays = (days: number): Date => new Date(now + days * DAY)
  for (const days of [3, 1, 2, 4, 0.5]) {
    const { key, id } = await addKey(inDays(days))
    await ring.verify(key)
    if (days !== 2 && days !== 0.5) continue
    await store.keys.revoke(id, new Date())
    if (days === 2) await refresh(ring, key)
  }
  // One that is not used any more is not looked up by its use.
  using later = spyOn(performance, 'now').mockReturnValue(performance.now() + 5000)
  expect(ring.nextExpiry()).toEqual(inDays(0.5))
  await new Promise(resolve => setImmediate(resolve))
  later.mockRestore()
  expect(ring.nextExpiry()).toEqual(inDays(1))
  setSystemTime(Date.now() + 1.5 * DAY)
  expect(ring.nextExpiry()).toEqual(inDays(3))
})

test('a key that is not used any more is looked up once at a time, however often its expiry is asked for', async () => {
  const find = mock(store.keys.find)
  const ring = newRing({ find })
  const expiresAt = new Date(Date.now() + DAY)
  await ring.verify((await addKey(expiresAt)).key)
  using _later = spyOn(performance, 'now').mockReturnValue(performance.now() + 5000)
  for (let n = 0; n < 3; n++) expect(ring.nextExpiry()).toEqual(expiresAt)
  expect(find).toHaveBeenCalledTimes(2)
})

test('a key is not looked up again at once, but before it was accepted from memory for 5 seconds, and a deleted one forgotten', async () => {
  const { key, id } = await addKey()
  let isDeleted = false
  const find = mock(async (hash: string) => (isDeleted ? undefined : store.keys.find(hash)))
  const ring = newRing({ find })
  await ring.verify(key)
  const now = performance.now()
  expect([ring.cachedKeyId(key, now + 500), find.mock.calls.length]).toEqual([id, 1])
  expect(ring.cachedKeyId(key, now + 5000)).toBeUndefined()
  isDeleted = true
  await refresh(ring, key)
  expect(ring.cachedKeyId(key, now)).toBeUndefined()
})

test('a ring keeps a bounded number of keys, and a known one displaces no other', async () => {
  const keys = Array.from({ length: MANY }, () => generateApiKey('production'))
  // By chance, two of so many have the same hash in one run of a hundred.
  const places = new Map(keys.map((key, n) => [key, n]))
  using _distinct = spyOn(Bun.hash, 'xxHash32').mockImplementation(key => places.get(String(key)) ?? MANY)
  const { record } = newKey('production', 'any')
  await store.keys.add(record)
  const ring = newRing({ find: () => store.keys.find(record.hash) })
  const now = performance.now()
  const kept = () => keys.filter(key => ring.cachedKeyId(key, now)).length
  for (const key of keys.slice(0, MAX)) await ring.verify(key)
  await ring.verify(keys[0] ?? '')
  expect(kept()).toBe(MAX)
  for (const key of keys.slice(MAX)) await ring.verify(key)
  expect(kept()).toBe(MANY - MAX)
})
