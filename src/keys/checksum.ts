import { crc32 } from 'node:zlib'

/** Base 62: a double click selects a key as a whole. */
export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * The CRC-32 of a text in base 62. It tells a typing mistake from a wrong key and lets scanners find a leaked one. It is a function
 * of the caller's own text, so there is nothing in it to hide.
 */
export function checksum(text: string, length: number): string {
  let written = ''
  for (let rest = crc32(text); written.length < length; rest = Math.floor(rest / 62))
    written = ALPHABET[rest % 62] + written
  return written
}
