import { randomBytes } from 'node:crypto'
import { commandName } from '../command-name.ts'
import type { Environment } from '../environment.ts'
import { generateApiKey, hashOfKey, hintOfKey } from '../keys/api-key.ts'
import type { Store } from '../store/store.ts'

/** Makes and stores a key; the secret is in the answer and nowhere else. */
export async function createKey(store: Store, name: string, expiresAt?: Date): Promise<string> {
  const key = generateApiKey(store.environment)
  await store.keys.add({
    id: `key_${randomBytes(6).toString('hex')}`,
    name,
    hint: hintOfKey(key),
    hash: hashOfKey(key),
    createdAt: new Date(),
    expiresAt,
  })
  return key
}

export async function hasUsableKey(store: Store): Promise<boolean> {
  const keys = await store.keys.list()
  return keys.some(
    key => key.revokedAt === undefined && (key.expiresAt === undefined || key.expiresAt > new Date()),
  )
}

/** What to type for another key. */
export const keyCommand = (environment: Environment): string =>
  `${commandName()} keys create --name "my key"${environment === 'production' ? '' : ` --env ${environment}`}`
