import { hash, randomBytes } from 'node:crypto'
import { ENVIRONMENTS, type Environment } from '../contract/servers.ts'
import { base62, checksum } from './checksum.ts'

/**
 * `pets_live_` or `pets_test_`, 160 random bits, and a checksum that distinguishes a typing mistake from a wrong key without a look-up:
 * 27 and 6 characters of base 62, so that a double click selects the whole key.
 */
const KEY_PREFIX = { production: 'pets_live_', staging: 'pets_test_' } as const satisfies Record<
  Environment,
  string
>

const RANDOM_BYTES = 20
const RANDOM_LENGTH = 27
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^pets_(?:live|test)_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)
const HINT_LENGTH = 4

export function generateApiKey(environment: Environment): string {
  const random = base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_LENGTH)
  const body = KEY_PREFIX[environment] + random
  return body + checksum(body, CHECKSUM_LENGTH)
}

/** The environment a key is for, or undefined if the text is not one of our keys. */
export function environmentOfKey(text: string): Environment | undefined {
  if (!SHAPE.test(text)) return undefined
  if (checksum(text.slice(0, -CHECKSUM_LENGTH), CHECKSUM_LENGTH) !== text.slice(-CHECKSUM_LENGTH))
    return undefined
  return ENVIRONMENTS.find(name => text.startsWith(KEY_PREFIX[name]))
}

/** Whether a text seems to contain one of our keys, valid or not. */
export const holdsKeyPrefix = (text: string): boolean =>
  Object.values(KEY_PREFIX).some(prefix => text.includes(prefix))

/** What is stored and compared. A random key needs no slow hash: it cannot be guessed. */
export const hashOfKey = (key: string): string => hash('sha256', key, 'hex')

/** The beginning of a key, just enough to recognise it in a list. */
export const hintOfKey = (key: string): string =>
  `${key.slice(0, KEY_PREFIX.production.length + HINT_LENGTH)}…`
