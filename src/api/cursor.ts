import { timingSafeEqual } from 'node:crypto'
import { PET_STATUSES, type PetStatus } from '../contract/pet.ts'

/** Where a page starts and which filter it belongs to, sealed so that only our own cursors are accepted. */
interface Cursor {
  readonly after: bigint
  readonly status: PetStatus | undefined
}

const ID_BYTES = 8
/** The identifier and the status in base 64. */
const CONTENT_LENGTH = 12
const SEAL_LENGTH = 16
const NO_STATUS = 255

export function sealCursor({ after, status }: Cursor, secret: string): string {
  const bytes = Buffer.alloc(ID_BYTES + 1)
  bytes.writeBigInt64BE(after)
  bytes[ID_BYTES] = status === undefined ? NO_STATUS : PET_STATUSES.indexOf(status)
  const content = bytes.toString('base64url')
  return content + sealOf(content, secret)
}

/** Undefined for anything that sealCursor did not make. */
export function openCursor(text: string, secret: string): Cursor | undefined {
  const bytes = Buffer.from(text.slice(0, CONTENT_LENGTH), 'base64url')
  if (bytes.length <= ID_BYTES) return undefined
  const cursor = { after: bytes.readBigInt64BE(), status: PET_STATUSES[bytes.readUInt8(ID_BYTES)] }
  const [sent, ours] = [Buffer.from(text), Buffer.from(sealCursor(cursor, secret))]
  return sent.length === ours.length && timingSafeEqual(sent, ours) ? cursor : undefined
}

/** HMAC, by the runtime's own class: it takes a third of the time of `createHmac`. */
const sealOf = (content: string, secret: string): string =>
  new Bun.CryptoHasher('sha256', secret).update(content).digest('base64url').slice(0, SEAL_LENGTH)
