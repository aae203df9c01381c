import { randomBytes } from 'node:crypto'
import type { Environment } from '../contract/servers.ts'
import type { KeyRecord, Store } from '../store/store.ts'
import { commandIn } from '../this-program.ts'
import { generateApiKey, hashOfKey, hintOfKey } from './api-key.ts'

/** How long before a key or a certificate expires the operator is told. */
const SOON_MS = 14 * 24 * 60 * 60 * 1000

export const isSoon = (expiresAt: Date | undefined): boolean =>
  expiresAt !== undefined && expiresAt.getTime() < Date.now() + SOON_MS

interface CreatedKey {
  readonly id: string
  readonly name: string
  /** The secret, which is not stored. */
  readonly key: string
  readonly expiresAt: Date | undefined
}

/** Creates a key, shows it and then stores it: a key that could not be shown must not be valid. */
export async function createKey(
  store: Store,
  name: string,
  expiresAt?: Date,
  show: (created: CreatedKey) => Promise<void> = async () => {},
): Promise<CreatedKey> {
  const key = generateApiKey(store.environment)
  const id = `key_${randomBytes(6).toString('hex')}`
  const created = { id, name, key, expiresAt }
  await show(created)
  await store.keys.add({
    id,
    name,
    hint: hintOfKey(key),
    hash: hashOfKey(key),
    createdAt: new Date(),
    expiresAt,
  })
  return created
}

export const isUsable = ({ revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>): boolean =>
  revokedAt === undefined && (expiresAt === undefined || expiresAt > new Date())

/** The command that creates another key. */
export const keyCommand = (environment: Environment): string =>
  commandIn(environment, 'keys create --name "my key"')
