import { randomBytes } from 'node:crypto'
import { commandIn } from '../command-name.ts'
import type { Environment } from '../contract/servers.ts'
import type { KeyRecord } from '../store/store.ts'
import { generateApiKey, hashOfKey, hintOfKey } from './api-key.ts'

/** A new key, which is not stored, and its record, which the caller stores. */
export function newKey(environment: Environment, name: string, expiresAt?: Date) {
  const key = generateApiKey(environment)
  const id = `key_${randomBytes(6).toString('hex')}`
  const record = { id, name, hint: hintOfKey(key), hash: hashOfKey(key), createdAt: new Date(), expiresAt }
  return { key, record }
}

export const isUsable = ({ revokedAt, expiresAt }: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>): boolean =>
  revokedAt === undefined && (expiresAt === undefined || expiresAt > new Date())

/** The command that creates another key. */
export const keyCommand = (environment: Environment): string =>
  commandIn(environment, 'keys create --name "my key"')
