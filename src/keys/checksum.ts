import { crc32 } from 'node:zlib'

export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * The CRC-32 of a text in base 62. It distinguishes a typing mistake from a wrong key and lets scanners find a leaked one. It is a function
 * of the caller's own text, so it reveals no secret.
 */
export const checksum = (text: string, length: number): string => base62(BigInt(crc32(text)), length)

/** A double click selects all of it, unlike in base 64. */
export function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text
  return text
}
