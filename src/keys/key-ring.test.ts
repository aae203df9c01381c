import { expect, spyOn, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../tests/support/store.ts'
import type { Environment } from '../contract/servers.ts'
import type { Store } from '../store/store.ts'
import { generateApiKey, hashOfKey, newKey } from './api-key.ts'
import { KeyRing } from './key-ring.ts'

const freshStore = () => openStore(`sqlite:${mkdtempSync(join(tmpdir(), 'petstore-'))}/animals.db`)
const ringOf = ({ keys }: Store, configuredKey?: string) =>
  new KeyRing({ environment: 'production', keys, configuredKey })

test('a configured key has the same id after a restart, which is that of no other and reveals neither key nor hash', async () => {
  await using store = await freshStore()
  const [one, other] = ['a configured key', 'another configured key']
  const ids = await Promise.all([one, one, other].map(key => ringOf(store, key).verify(key)))
  const idOf = (key: string) => `configured_${hashOfKey(hashOfKey(key)).slice(0, 8)}`
  expect(ids).toEqual([one, one, other].map(idOf))
})

test.each<[Environment, string | undefined]>([
  ['production', undefined],
  ['staging', 'other_environment'],
])('in production, the failure of a configured key of %s is %p', async (environment, failure) => {
  await using store = await freshStore()
  const key = generateApiKey(environment)
  const verified = ringOf(store, key).verify(key)
  expect(await verified.then(() => undefined).catch((error: Error) => error.message)).toBe(failure)
})

test('a key that is not used any more is looked up once at a time, however often its expiry is asked for', async () => {
  await using store = await freshStore()
  const expiresAt = new Date(Date.now() + 86_400_000)
  const { key, record } = newKey('production', 'any', expiresAt)
  await store.keys.add(record)
  const find = spyOn(store.keys, 'find')
  const ring = ringOf(store)
  await ring.verify(key)
  using _later = spyOn(performance, 'now').mockReturnValue(performance.now() + 5000)
  for (let n = 0; n < 3; n++) expect(ring.nextExpiry()).toEqual(expiresAt)
  expect(find).toHaveBeenCalledTimes(2)
})
