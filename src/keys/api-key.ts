import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { commandIn } from '../command-name.ts'
import { ENVIRONMENTS, type Environment } from '../contract/servers.ts'
import type { KeyRecord } from '../store/store.ts'

/**
 * A key is `pets_live_` or `pets_test_`, 160 random bits and a checksum, which distinguishes a typing mistake from a wrong
 * key without a lookup and lets scanners find a leaked one. Base 62, so that a double click selects the whole key.
 */
const KEY_PREFIX: Readonly<Record<Environment, string>> = { production: 'pets_live_', staging: 'pets_test_' }

const RANDOM_BYTES = 20
const RANDOM_LENGTH = 27
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^pets_(?:live|test)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)
const HINT_LENGTH = 4
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function generateApiKey(environment: Environment): string {
  const random = base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_LENGTH)
  const body = KEY_PREFIX[environment] + random
  return body + checksum(body)
}

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

/** The environment a key is for, or undefined if the text is not one of our keys. */
export function environmentOfKey(text: string): Environment | undefined {
  if (!SHAPE.test(text)) return undefined
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined
  return ENVIRONMENTS.find(name => text.startsWith(KEY_PREFIX[name]))
}

/** Whether the text seems to contain one of our keys, valid or not. */
export const holdsKeyPrefix = (text: string): boolean =>
  Object.values(KEY_PREFIX).some(prefix => text.includes(prefix))

/** The text without the secrets of our keys, valid or not. */
export const withoutKeys = (text: string): string => text.replaceAll(/(pets_(?:live|test)_)\w+/g, '$1…')

/** What is stored and compared. A random key needs no slow hash: it cannot be guessed. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'hex')

/** The beginning of a key, just enough to recognise it in a list. */
export const hintOfKey = (key: string): string =>
  `${key.slice(0, KEY_PREFIX.production.length + HINT_LENGTH)}…`

/** The CRC-32 of a key's body in base 62. It is a function of the caller's own text, so it reveals no secret. */
export const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_LENGTH)

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text
  return text
}
