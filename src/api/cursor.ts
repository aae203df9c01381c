import { createHmac, timingSafeEqual } from 'node:crypto'
import { PET_STATUSES, type PetStatus } from '../contract/pet.ts'

/** Where a page starts and which filter it belongs to, sealed so that only our own cursors are accepted. */
interface Cursor {
  readonly after: bigint
  readonly status: PetStatus | undefined
}

const ID_BYTES = 8
const STATUS_BYTES = 1
const SEAL_BYTES = 12
const LENGTH = ID_BYTES + STATUS_BYTES + SEAL_BYTES
const NO_STATUS = 255

export function sealCursor(cursor: Cursor, secret: string): string {
  const bytes = Buffer.alloc(ID_BYTES + STATUS_BYTES)
  bytes.writeBigInt64BE(cursor.after)
  bytes.writeUInt8(cursor.status === undefined ? NO_STATUS : PET_STATUSES.indexOf(cursor.status), ID_BYTES)
  return Buffer.concat([bytes, seal(bytes, secret)]).toString('base64url')
}

/** Undefined for anything that sealCursor did not make. */
export function openCursor(text: string, secret: string): Cursor | undefined {
  const bytes = Buffer.from(text, 'base64url')
  // Decoding skips invalid characters, so only the spelling that encodes back to itself is accepted.
  if (bytes.length !== LENGTH || bytes.toString('base64url') !== text) return undefined
  const content = bytes.subarray(0, LENGTH - SEAL_BYTES)
  if (!timingSafeEqual(seal(content, secret), bytes.subarray(LENGTH - SEAL_BYTES))) return undefined
  return { after: content.readBigInt64BE(), status: PET_STATUSES[content.readUInt8(ID_BYTES)] }
}

const seal = (content: Buffer, secret: string): Buffer =>
  createHmac('sha256', secret).update(content).digest().subarray(0, SEAL_BYTES)
