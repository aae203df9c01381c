import { environmentOfKey } from '../../../src/keys/api-key.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CHECKSUM_LENGTH = 6

/** A key with a good checksum whose random part differs from a real one in its last character alone. */
export function nearMiss(key: string): string {
  const body = key.slice(0, -CHECKSUM_LENGTH)
  const last = body.at(-1) ?? ''
  const other = ALPHABET[(ALPHABET.indexOf(last) + 1) % ALPHABET.length]
  const near = body.slice(0, -1) + other
  let checksum = ''
  for (let rest = Bun.hash.crc32(near); checksum.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62))
    checksum = ALPHABET[rest % 62] + checksum
  if (environmentOfKey(near + checksum) === undefined) throw new Error('The near miss has no good checksum')
  return near + checksum
}
