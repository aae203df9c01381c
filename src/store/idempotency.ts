import { createHmac } from 'node:crypto'
import type { Idempotency } from './store.ts'

/**
 * What represents an idempotency key in the database. People paste secrets into keys, and a hash without a secret would let
 * anyone who reads the database guess short ones. Cursors are sealed
 * with the same secret, but never as a text of this form.
 */
export const hashOfIdempotencyKey = ({ keyId, key }: Idempotency, secret: string): string =>
  createHmac('sha256', secret).update(`idempotency ${keyId} ${key}`).digest('base64url')
