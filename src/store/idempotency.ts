import { createHmac } from 'node:crypto'
import type { Idempotency } from './store.ts'

/** Prefix of the hashed text. Cursors use the same secret with another prefix. */
export const PURPOSE = 'idempotency'

/**
 * What represents an idempotency key in the database. People paste secrets into keys, and a hash without a secret would
 * let anyone who reads the database guess short ones.
 */
export const hashOfIdempotencyKey = ({ keyId, key }: Idempotency, secret: string): string =>
  createHmac('sha256', secret).update(`${PURPOSE} ${keyId} ${key}`).digest('base64url')
