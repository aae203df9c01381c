import { timingSafeEqual } from 'node:crypto'
import { PET_STATUSES, type PetStatus } from '../contract/pet.ts'

/** Where a page starts and which filter it belongs to, sealed so that only our own cursors are accepted. */
interface Cursor {
  readonly after: bigint
  readonly status: PetStatus | undefined
}

const ID_BYTES = 8
const CONTENT_BYTES = ID_BYTES + 1
const SEAL_BYTES = 12
const NO_STATUS = 255

export function sealCursor({ after, status }: Cursor, secret: string): string {
  const bytes = Buffer.alloc(CONTENT_BYTES + SEAL_BYTES)
  bytes.writeBigInt64BE(after)
  bytes.writeUInt8(status === undefined ? NO_STATUS : PET_STATUSES.indexOf(status), ID_BYTES)
  sealOf(bytes, secret).copy(bytes, CONTENT_BYTES)
  return bytes.toString('base64url')
}

/** Undefined for anything that sealCursor did not make. */
export function openCursor(text: string, secret: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Decoding skips invalid characters, so only the spelling that encodes back to itself is accepted.
  if (bytes.length !== CONTENT_BYTES + SEAL_BYTES || bytes.toString('base64url') !== text) return undefined
  if (!timingSafeEqual(sealOf(bytes, secret), bytes.subarray(CONTENT_BYTES))) return undefined
  return { after: bytes.readBigInt64BE(), status: PET_STATUSES[bytes.readUInt8(ID_BYTES)] }
}

/** HMAC, by the runtime's own class: it takes a third of the time of `createHmac`. */
const sealOf = (bytes: Buffer, secret: string): Buffer =>
  new Bun.CryptoHasher('sha256', secret)
    .update(bytes.subarray(0, CONTENT_BYTES))
    .digest()
    .subarray(0, SEAL_BYTES)
