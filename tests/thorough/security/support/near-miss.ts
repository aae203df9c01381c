import { checksum, environmentOfKey } from '../../../../src/keys/api-key.ts'
import { type Below, pick } from '../fuzz/choice.ts'

const CHECKSUM_LENGTH = 6
const CHANGED = 3
const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

/** A key with a valid checksum whose random part differs from a real one only in its last characters. */
export function nearMiss(key: string, below: Below): string {
  const kept = key.slice(0, -CHECKSUM_LENGTH - CHANGED)
  const body = kept + Array.from({ length: CHANGED }, () => pick(below, DIGITS)).join('')
  const near = body + checksum(body)
  if (near === key) return nearMiss(key, below)
  if (environmentOfKey(near) === undefined) throw new Error('The near miss has no good checksum')
  return near
}
