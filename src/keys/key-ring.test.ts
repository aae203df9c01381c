import { expect, test } from 'bun:test'
import type { Event } from '../observability/events.ts'
import type { KeyRecord, KeyStore, KeyUse } from '../store/store.ts'
import { generateApiKey } from './api-key.ts'
import { KeyRing } from './key-ring.ts'
import { recordKeyUses } from './record-uses.ts'

const KEY = generateApiKey('production')

/** A store in which every key is found, by default under one id; it fails to record uses while `isDown`. */
function storeWith(more: Partial<KeyRecord> = {}) {
  const recorded: KeyUse[] = []
  const state = { isDown: false }
  const record = { id: 'key_1', expiresAt: undefined, revokedAt: undefined, ...more } as KeyRecord
  const keys = {
    find: () => ({ ...record }),
    recordUses: async (uses: readonly KeyUse[]) => {
      if (state.isDown) throw new Error('down')
      recorded.push(...uses)
    },
  } as unknown as KeyStore
  const ring = new KeyRing({ environment: 'production', keys, configuredKey: undefined })
  return { ring, record, recorded, state }
}

test('uses and deprecated calls are recorded together, once', async () => {
  const { ring, recorded } = storeWith()
  await ring.verify(KEY)
  ring.countDeprecatedCall('key_1')
  ring.countDeprecatedCall('key_1')
  await ring.recordUses()
  expect(recorded).toMatchObject([{ id: 'key_1', deprecatedCalls: 2 }])
  await ring.recordUses()
  expect(recorded).toHaveLength(1)
  ring.cachedKeyId(KEY, performance.now())
  await ring.recordUses()
  expect(recorded[1]).toMatchObject({ id: 'key_1', deprecatedCalls: 0 })
})

test('what the store could not record is recorded the next time, with what came since', async () => {
  const { ring, recorded, state } = storeWith()
  await ring.verify(KEY)
  ring.countDeprecatedCall('key_1')
  state.isDown = true
  expect(ring.recordUses()).rejects.toThrow('down')
  ring.countDeprecatedCall('key_1')
  await Bun.sleep(0)
  state.isDown = false
  await ring.recordUses()
  expect(recorded).toMatchObject([{ id: 'key_1', deprecatedCalls: 2 }])
})

test('a key in use that expires soon is reported once', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000)
  const { ring } = storeWith({ expiresAt })
  await ring.verify(KEY)
  expect(ring.nextExpiry()).toEqual({ keyId: 'key_1', at: expiresAt })
  const events: Event[] = []
  const stop = recordKeyUses(ring, event => void events.push(event), 1)
  for (let turns = 0; turns < 3 || events.length === 0; turns++) await Bun.sleep(2)
  await stop()
  expect(events).toEqual([{ kind: 'key-expires-soon', keyId: 'key_1', expires: expiresAt.toISOString() }])
})

test('the next expiry is that of a valid key: expired and revoked ones do not hide it', async () => {
  const { ring, record } = storeWith()
  const soon = new Date(Date.now() + 20)
  const later = new Date(Date.now() + 86_400_000)
  for (const more of [{ expiresAt: soon }, { expiresAt: later }]) {
    Object.assign(record, { id: `key_${more.expiresAt.getTime()}`, ...more })
    await ring.verify(generateApiKey('production'))
  }
  expect(ring.nextExpiry()?.at).toEqual(soon)
  while (new Date() <= soon) await Bun.sleep(1)
  expect(ring.nextExpiry()?.at).toEqual(later)
})

test('a key is looked up again before it was accepted from memory for 5 seconds', async () => {
  const { ring } = storeWith()
  await ring.verify(KEY)
  const now = performance.now()
  expect(ring.cachedKeyId(KEY, now)).toBe('key_1')
  expect(ring.cachedKeyId(KEY, now + 5000)).toBeUndefined()
})
