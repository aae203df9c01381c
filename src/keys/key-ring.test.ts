import { expect, mock, spyOn, test } from 'bun:test'
import type { Environment } from '../contract/servers.ts'
import type { KeyRecord } from '../store/store.ts'
import { generateApiKey, hashOfKey } from './api-key.ts'
import { KeyRing } from './key-ring.ts'

const ringOf = (configuredKey?: string, find: () => Promise<KeyRecord | undefined> = async () => undefined) =>
  new KeyRing({ environment: 'production', keys: { find }, configuredKey })

test('a configured key has the same id after a restart, which is that of no other and reveals neither key nor hash', async () => {
  const [one, other] = ['a configured key', 'another configured key']
  const ids = await Promise.all([one, one, other].map(key => ringOf(key).verify(key)))
  const idOf = (key: string) => `configured_${hashOfKey(hashOfKey(key)).slice(0, 8)}`
  expect(ids).toEqual([one, one, other].map(idOf))
})

test.each<[Environment, string | undefined]>([
  ['production', undefined],
  ['staging', 'other_environment'],
])('a configured key of %s is refused in production: %p', async (environment, failure) => {
  const key = generateApiKey(environment)
  const verified = ringOf(key).verify(key)
  expect(await verified.then(() => undefined).catch((error: Error) => error.message)).toBe(failure)
})

test('a key that is not used any more is looked up once at a time, however often its expiry is asked for', async () => {
  const expiresAt = new Date(Date.now() + 86_400_000)
  const key = generateApiKey('production')
  const found = { id: 'k', expiresAt, revokedAt: undefined } as KeyRecord
  const find = mock(async () => found)
  const ring = ringOf(undefined, find)
  await ring.verify(key)
  find.mockReturnValue(new Promise(() => {}))
  using _later = spyOn(performance, 'now').mockReturnValue(performance.now() + 5000)
  for (let n = 0; n < 3; n++) expect(ring.nextExpiry()).toEqual(expiresAt)
  expect(find).toHaveBeenCalledTimes(2)
})
