import { ALPHABET } from './alphabet.ts'

const POLYNOMIAL = 0xedb88320
/** CRC-32 of each byte. Kept as int32, so that no step falls back to doubles. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
  return value
})

/**
 * The CRC-32 of a text of ASCII, in base 62. The runtime's own CRC-32 and a division of it take a little longer for some keys
 * than for others; here every step is one on small whole numbers, so the time of a refusal depends on no character.
 */
export function checksum(text: string, length: number): string {
  let crc = -1
  for (let at = 0; at < text.length; at++)
    crc = (TABLE[(crc ^ text.charCodeAt(at)) & 0xff] as number) ^ (crc >>> 8)
  let high = ~crc >>> 16
  let low = ~crc & 0xffff
  let written = ''
  while (written.length < length) {
    const carried = ((high % 62) << 16) | low
    high = (high / 62) | 0
    low = (carried / 62) | 0
    written = ALPHABET[carried % 62] + written
  }
  return written
}
