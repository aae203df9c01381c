import type { Config } from '../config/load.ts'
import { hashOfKey, isUsable, keyCommand, newKey } from '../keys/api-key.ts'
import type { Observe } from '../observability/events.ts'
import type { KeyStore } from '../store/store.ts'

/** If no key is valid: stores a new one for a person, and otherwise says so in the log. */
export async function storeFirstKey(
  keys: KeyStore,
  { apiKey, environment }: Config,
  isWelcome: boolean,
  observe: Observe,
): Promise<string | undefined> {
  // A configured key that is stored too can have been revoked.
  const configured =
    apiKey && ((await keys.find(hashOfKey(apiKey))) ?? { revokedAt: undefined, expiresAt: undefined })
  if ((configured && isUsable(configured)) || (await keys.list()).some(isUsable)) return undefined
  if (isWelcome) {
    const { key, record } = newKey(environment, 'first key')
    await keys.add(record)
    return key
  }
  observe({ kind: 'no-api-key', hint: `No API key is valid. Create one: ${keyCommand(environment)}` })
}
