import { createHash } from 'node:crypto'
import type pg from 'pg'
import { PURPOSE } from '../../idempotency.ts'

const BLOCK_BYTES = 64
const [INNER, OUTER] = [0x36, 0x5c]

/** Replaces client keys with their hashes inside the server: two sha256 calls make an HMAC (RFC 2104). */
export async function hashPostgresKeys(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ value: string }>(
    "SELECT value FROM meta WHERE name = 'cursor_secret'",
  )
  const secret = rows[0]?.value ?? ''
  await client.query(
    `UPDATE idempotency SET key = translate(
       encode(sha256($1::bytea || sha256($2::bytea || convert_to($3 || ' ' || key_id || ' ' || key, 'UTF8'))), 'base64'), '+/=', '-_')`,
    [padded(secret, OUTER), padded(secret, INNER), PURPOSE],
  )
}

function padded(secret: string, pad: number): Buffer {
  const key =
    Buffer.byteLength(secret) > BLOCK_BYTES
      ? createHash('sha256').update(secret).digest()
      : Buffer.from(secret)
  return Buffer.concat([key, Buffer.alloc(BLOCK_BYTES - key.length)]).map(byte => byte ^ pad) as Buffer
}
